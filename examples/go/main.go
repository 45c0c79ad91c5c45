// Asks a graph from Go by the interface for C: go run . DATABASE FILE NAME
//
// Makes DATABASE of FILE, finds NAME and walks its edges; then asks how many things they lead to. The header is
// read by cgo, which finds it and the library by pkg-config.
package main

/*
#cgo pkg-config: kgwalk
#include <kgwalk.h>
#include <stdlib.h>
*/
import "C"

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// check turns a status into an error. The sentence is the thread's, so the goroutine must stay on its thread from
// the call on: see main.
func check(status C.kgwalk_status) error {
	if status == C.KGWALK_OK {
		return nil
	}
	return errors.New(C.GoString(C.kgwalk_error()))
}

// text takes over a text of the library.
func text(from *C.char) string {
	defer C.kgwalk_free(from)
	return C.GoString(from)
}

type Graph struct{ handle *C.kgwalk_graph }

func Ingest(database, file string) error {
	db, path := C.CString(database), C.CString(file)
	defer C.free(unsafe.Pointer(db))
	defer C.free(unsafe.Pointer(path))
	files := (**C.char)(C.malloc(C.size_t(unsafe.Sizeof(path))))
	defer C.free(unsafe.Pointer(files))
	*files = path
	return check(C.kgwalk_ingest(C.KGWALK_VERSION, db, files, 1, 1, nil))
}

func Open(database string) (*Graph, error) {
	db := C.CString(database)
	defer C.free(unsafe.Pointer(db))
	graph := &Graph{}
	return graph, check(C.kgwalk_graph_open(C.KGWALK_VERSION, db, &graph.handle))
}

func (g *Graph) Close() error { return check(C.kgwalk_graph_close(g.handle)) }

func (g *Graph) Find(name string) (uint32, error) {
	given := C.CString(name)
	defer C.free(unsafe.Pointer(given))
	var entity C.uint32_t
	err := check(C.kgwalk_graph_find_entity(g.handle, given, &entity))
	return uint32(entity), err
}

// Edges are borrowed from the graph: nothing is copied.
func (g *Graph) Edges(entity uint32) ([]C.kgwalk_edge, error) {
	var edges *C.kgwalk_edge
	var count C.size_t
	err := check(C.kgwalk_graph_edges(g.handle, C.uint32_t(entity), &edges, &count))
	return unsafe.Slice(edges, int(count)), err
}

func (g *Graph) Names(edge C.kgwalk_edge) (relation, tail string, err error) {
	var name *C.char
	if err = check(C.kgwalk_graph_relation_name(g.handle, edge.relation, &name)); err != nil {
		return
	}
	relation = text(name)
	if err = check(C.kgwalk_graph_entity_name(g.handle, edge.tail, &name)); err == nil {
		tail = text(name)
	}
	return
}

// Query asks a form (docs/reference/forms.md) and gives the sentence that answers it.
func (g *Graph) Query(form any) (string, error) {
	written, err := json.Marshal(form)
	if err != nil {
		return "", err
	}
	given := C.CString(string(written))
	defer C.free(unsafe.Pointer(given))
	var answer *C.char
	if err := check(C.kgwalk_graph_query(g.handle, given, 0, 0, &answer)); err != nil {
		return "", err
	}
	var answered struct{ Said string }
	err = json.Unmarshal([]byte(text(answer)), &answered)
	return answered.Said, err
}

func run(database, file, name string) error {
	if err := Ingest(database, file); err != nil {
		return err
	}
	graph, err := Open(database)
	if err != nil {
		return err
	}
	defer graph.Close()
	entity, err := graph.Find(name)
	if err != nil {
		return err
	}
	edges, err := graph.Edges(entity)
	if err != nil {
		return err
	}
	for _, edge := range edges {
		relation, tail, err := graph.Names(edge)
		if err != nil {
			return err
		}
		said, err := graph.Query(map[string]any{"count": map[string]any{"step": relation, "from": name}})
		if err != nil {
			return err
		}
		fmt.Printf("%s -[%s]-> %s   %s\n", name, relation, tail, said)
	}
	return nil
}

func main() {
	runtime.LockOSThread()
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: go run . DATABASE FILE NAME")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
