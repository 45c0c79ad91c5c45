//! Finds libkgwalk.so by pkg-config, without a crate for it.
use std::process::Command;

fn main() {
    let output = Command::new("pkg-config").args(["--libs", "kgwalk"]).output().expect("pkg-config is needed");
    assert!(output.status.success(), "pkg-config does not find kgwalk: {}", String::from_utf8_lossy(&output.stderr));
    for word in String::from_utf8_lossy(&output.stdout).split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(library) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={library}");
        }
    }
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
}
