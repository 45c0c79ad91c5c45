module example.com/kgwalk

go 1.19
