//! Asks a graph from Rust by the interface for C: cargo run -- DATABASE FILE NAME
//!
//! Makes DATABASE of FILE, finds NAME and walks its edges; then asks how many things each relation leads to.
use std::error::Error;
use std::ffi::{c_char, c_int, CStr, CString, NulError};
use std::fmt;
use std::ptr;

/// What of kgwalk.h is used here, as it stands there.
mod c {
    use std::ffi::{c_char, c_int};

    pub const VERSION: c_int = 1000; // 0.1.0, which this file was written for
    pub const OK: c_int = 0;

    #[repr(C)]
    pub struct Graph {
        _opaque: [u8; 0],
    }
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Edge {
        pub relation: u32,
        pub tail: u32,
    }

    extern "C" {
        pub fn kgwalk_error() -> *const c_char;
        pub fn kgwalk_free(text: *mut c_char);
        pub fn kgwalk_ingest(
            version: c_int,
            database: *const c_char,
            files: *const *const c_char,
            num_files: usize,
            replace: c_int,
            report: *mut *mut c_char,
        ) -> c_int;
        pub fn kgwalk_graph_open(version: c_int, database: *const c_char, graph: *mut *mut Graph) -> c_int;
        pub fn kgwalk_graph_close(graph: *mut Graph) -> c_int;
        pub fn kgwalk_graph_find_entity(graph: *const Graph, name: *const c_char, entity: *mut u32) -> c_int;
        pub fn kgwalk_graph_entity_name(graph: *const Graph, entity: u32, name: *mut *mut c_char) -> c_int;
        pub fn kgwalk_graph_relation_name(graph: *const Graph, relation: u32, name: *mut *mut c_char) -> c_int;
        pub fn kgwalk_graph_edges(
            graph: *const Graph,
            entity: u32,
            edges: *mut *const Edge,
            num_edges: *mut usize,
        ) -> c_int;
        pub fn kgwalk_graph_query(
            graph: *const Graph,
            form: *const c_char,
            rows: usize,
            seconds: f64,
            json: *mut *mut c_char,
        ) -> c_int;
    }
}

#[derive(Debug)]
struct KgwalkError(String);

impl fmt::Display for KgwalkError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Error for KgwalkError {}

fn check(status: c_int) -> Result<(), KgwalkError> {
    if status == c::OK {
        return Ok(());
    }
    // The sentence is this thread's, and valid until its next failure: it is copied at once.
    let sentence = unsafe { CStr::from_ptr(c::kgwalk_error()) };
    Err(KgwalkError(sentence.to_string_lossy().into_owned()))
}

/// Takes over a text of the library.
fn text(given: *mut c_char) -> String {
    let copy = unsafe { CStr::from_ptr(given) }.to_string_lossy().into_owned();
    unsafe { c::kgwalk_free(given) };
    copy
}

fn ingest(database: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let (database, file) = (CString::new(database)?, CString::new(file)?);
    let files = [file.as_ptr()];
    check(unsafe { c::kgwalk_ingest(c::VERSION, database.as_ptr(), files.as_ptr(), 1, 1, ptr::null_mut()) })?;
    Ok(())
}

struct Graph(*mut c::Graph);

// Every function of the library may be called from any thread.
unsafe impl Send for Graph {}
unsafe impl Sync for Graph {}

impl Drop for Graph {
    fn drop(&mut self) {
        unsafe { c::kgwalk_graph_close(self.0) };
    }
}

impl Graph {
    fn open(database: &str) -> Result<Graph, Box<dyn Error>> {
        let database = CString::new(database)?;
        let mut handle = ptr::null_mut();
        check(unsafe { c::kgwalk_graph_open(c::VERSION, database.as_ptr(), &mut handle) })?;
        Ok(Graph(handle))
    }

    fn find(&self, name: &str) -> Result<u32, Box<dyn Error>> {
        let name = CString::new(name)?;
        let mut entity = 0;
        check(unsafe { c::kgwalk_graph_find_entity(self.0, name.as_ptr(), &mut entity) })?;
        Ok(entity)
    }

    /// Borrowed from the graph, whose lifetime the slice has: nothing is copied.
    fn edges(&self, entity: u32) -> Result<&[c::Edge], KgwalkError> {
        let (mut edges, mut count) = (ptr::null(), 0);
        check(unsafe { c::kgwalk_graph_edges(self.0, entity, &mut edges, &mut count) })?;
        Ok(if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(edges, count) } })
    }

    fn entity_name(&self, entity: u32) -> Result<String, KgwalkError> {
        let mut name = ptr::null_mut();
        check(unsafe { c::kgwalk_graph_entity_name(self.0, entity, &mut name) })?;
        Ok(text(name))
    }

    fn relation_name(&self, relation: u32) -> Result<String, KgwalkError> {
        let mut name = ptr::null_mut();
        check(unsafe { c::kgwalk_graph_relation_name(self.0, relation, &mut name) })?;
        Ok(text(name))
    }

    /// The answer as JSON (docs/reference/openapi.json), which a program reads by the crate of its choice.
    fn query(&self, form: &str) -> Result<String, Box<dyn Error>> {
        let form = CString::new(form).map_err(|error: NulError| Box::new(error))?;
        let mut json = ptr::null_mut();
        check(unsafe { c::kgwalk_graph_query(self.0, form.as_ptr(), 0, 0.0, &mut json) })?;
        Ok(text(json))
    }
}

fn run(database: &str, file: &str, name: &str) -> Result<(), Box<dyn Error>> {
    ingest(database, file)?;
    let graph = Graph::open(database)?;
    for edge in graph.edges(graph.find(name)?)? {
        let (relation, tail) = (graph.relation_name(edge.relation)?, graph.entity_name(edge.tail)?);
        // {:?} quotes as JSON does.
        let answer = graph.query(&format!("{{\"count\": {{\"step\": {relation:?}, \"from\": {name:?}}}}}"))?;
        println!("{name} -[{relation}]-> {tail}   {answer}");
    }
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words.len() != 4 {
        eprintln!("usage: kgwalk-example DATABASE FILE NAME");
        std::process::exit(2);
    }
    if let Err(error) = run(&words[1], &words[2], &words[3]) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
