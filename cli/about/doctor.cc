// kgwalk doctor: this machine, and on request a database.
#include <rocksdb/version.h>
#include <torch/version.h>

#include <filesystem>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/frame/remedy.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "kgwalk/threads.h"
#include "runtime/processor_levels.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

// Findings in the order in which they are printed: "ok", "warning" or "failed".
class Findings {
 public:
  void ok(const std::string& what, const std::string& detail) { add("ok", what, detail); }
  void warn(const std::string& what, const std::string& detail) { add("warning", what, detail); }
  void fail(const std::string& what, const std::string& detail) {
    add("failed", what, detail);
    ++failures_;
  }
  [[nodiscard]] int failures() const noexcept { return failures_; }
  [[nodiscard]] const Json& list() const noexcept { return list_; }

 private:
  void add(const char* status, const std::string& what, const std::string& detail) {
    print("{:<8} {:<14} {}\n", status, what, detail);
    list_.push_back({{"status", status}, {"what", what}, {"detail", detail}});
  }
  Json list_ = Json::array();
  int failures_ = 0;
};

void check_versions(Findings& findings) {
  findings.ok("kgwalk", KGWALK_VERSION);
  findings.ok("LibTorch", TORCH_VERSION);
  findings.ok("RocksDB", fmt::format("{}.{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH));
  findings.ok("compiler", __VERSION__);
}

void check_blas(Findings& findings) {
  const BlasInfo blas = probe_blas();
  const std::string text = fmt::format("{}{}, {:.0f} GFLOP/s on {} threads", blas.name,
                                       blas.kernels.empty() ? "" : ", kernels for " + blas.kernels,
                                       blas.gflops_sgemm, num_threads());
  const char* advice =
      "install libopenblas0-openmp and choose it with update-alternatives --config "
      "libblas.so.3-x86_64-linux-gnu";
  if (blas.name.starts_with("reference"))
    findings.warn("BLAS", text + "; a tuned library is many times faster: " + advice);
  else if (blas.name.ends_with("(pthread)"))
    findings.warn("BLAS", text + "; its threads compete with those of OpenMP: " + advice);
  else if (blas.kernels == "Prescott" && !processor_levels().empty())
    findings.warn("BLAS", text + "; it takes this processor for one of 2004: set OPENBLAS_CORETYPE=" +
                              blas_kernels() + " in the environment");
  else if (blas.gflops_sgemm < 15)
    // A core of the last ten years does 30 and more in a tuned library.
    findings.warn("BLAS",
                  text + "; this is slow: either the machine is busy or the library is not tuned for it");
  else
    findings.ok("BLAS", text);
}

void check_processor(Findings& findings) {
  findings.ok("threads", std::to_string(num_threads()));
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  const bool usable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (usable)
    findings.ok("processor", !wide                                  ? "AVX2 and FMA, no AVX-512 (no bf16)"
                             : __builtin_cpu_supports("avx512bf16") ? "AVX-512, bf16"
                                                                    : "AVX-512, no bf16");
  else
    findings.warn("processor", "neither AVX2 nor FMA: expect a fraction of the speed");
#endif
}

void check_disk(Findings& findings, fs::path path) {
  std::error_code error;
  path = fs::absolute(path);
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  const fs::space_info space = fs::space(path, error);
  if (error) return findings.fail("disk", path.string() + ": " + error.message());
  const double free_gib = static_cast<double>(space.available) / (1 << 30);
  const std::string text = fmt::format("{:.1f} GiB free at {}", free_gib, path.string());
  // The database, tables and a few runs of a graph of a million edges take about 2 GiB.
  free_gib < 3 ? findings.warn("disk", text + "; a graph of a million edges with its runs needs about 3")
               : findings.ok("disk", text);
}

void check_store(Findings& findings, const std::string& database) {
  try {
    const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
    store.verify();
    const graph::KnowledgeGraph graph = store.load_graph();
    if (graph.checksum() != store.graph_checksum())
      return findings.fail("database",
                           database + ": the graph differs from the one that was ingested; ingest it again");
    const auto count = [](auto n) { return with_commas(static_cast<long long>(n)); };
    findings.ok("database", fmt::format("{}: {} entities, {} relations, {} edges; every checksum holds",
                                        database, count(graph.num_entities()), count(graph.num_relations()),
                                        count(graph.num_edges())));
    for (const std::string& name : store.table_names()) {
      const Json meta = store.table_meta(name).value_or(Json::object());
      const std::string made_for = meta.value("graph_checksum", "");
      if (!made_for.empty() && made_for != graph.checksum())
        findings.fail("table", name + ": was made for another graph; make it again");
      else
        findings.ok("table", name);
    }
  } catch (const Error& error) {
    findings.fail("database", told_with_remedies(error));
  }
}

Verb add_doctor(CLI::App& app, Common& common) {
  const auto database = std::make_shared<std::string>();
  app.add_option("--db", *database, "also check this database: every checksum, every table");
  return [&common, database] {
    Findings findings;
    check_versions(findings);
    check_processor(findings);
    check_blas(findings);
    check_disk(findings, database->empty() ? "." : *database);
    if (!database->empty()) check_store(findings, *database);
    common.write_json({{"findings", findings.list()}, {"failures", findings.failures()}});
    if (findings.failures() > 0)
      throw Error("doctor found " + std::to_string(findings.failures()) + " failures; see the lines above");
  };
}

const Registration kDoctorCommand({.name = "doctor",
                                   .help = "check this machine, a database and the data sets",
                                   .example = "--db films.db",
                                   .add = add_doctor,
                                   .group = Group::kOther,
                                   .place = 3});

}  // namespace
}  // namespace kgwalk::cli
