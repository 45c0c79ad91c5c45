// What the program does with graphs: read them, give them back, workspaces they lie in.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/cli/program_runs.h"

namespace kgwalk {
namespace {

using test::contains;
using test::is_one_line;
using test::Result;
using test::run;
using test::TempFolder;

TEST(GraphProgram, LinkPredictionReadsWhatIngestReadsAndTellsWhatMayNotBeMeant) {
  const TempFolder folder;
  const auto at = [&](const char* name) { return (folder / name).string(); };
  write_file_atomically(folder / "train.tsv",
                        "\xEF\xBB\xBF"
                        "a\tr\tb\r\nb\tr\tc\r\nb\tr\tc\r\nc\tr\tc\r\n");
  write_file_atomically(folder / "test.tsv", "a\tr\tb\nd\tr\ta\nb\ts\ta\n");
  const std::string rest =
      " --valid " + at("train.tsv") + " --set embedding.epochs=1 --no-progress --threads 1 --json -";
  EXPECT_EQ(std::system(("gzip -k " + at("train.tsv")).c_str()), 0);
  const Result result =
      run("link-prediction --train " + at("train.tsv.gz") + " --test <(cat " + at("test.tsv") + ")" + rest);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["entities"], 4) << "the mark of UTF-8 is no part of a name";
  for (const char* remark :
       {"1 of 4 training facts are there more than once",
        "1 of 4 training facts lead from an entity to itself", "1 of 3 test facts are in training too",
        "1 of 3 test facts have an entity that was never trained on",
        "1 of 3 test facts have a relation that was never trained on"})
    EXPECT_TRUE(contains(result.err, remark)) << remark << "\n" << result.err;
}

TEST(GraphProgram, AWorkspaceSaysWhereThingsLie) {
  const TempFolder folder;
  const std::string films = (folder / "films").string(), in = "cd " + films + " && ";
  write_file_atomically(folder / "t.txt", "a\tr\tb\n");
  EXPECT_EQ(run("init " + films + " --db " + (folder / "kg.db").string()).status, 0);
  EXPECT_EQ(run("init " + films).status, 1) << "what is there is not replaced";
  EXPECT_EQ(run("ingest --quiet --workspace " + films + " " + (folder / "t.txt").string()).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "kg.db"));
  EXPECT_EQ(run("stats --workspace " + films).status, 0);
  EXPECT_EQ(std::system((in + KGWALK_PROGRAM " stats > ../out").c_str()), 0) << "in the folder itself";
  EXPECT_TRUE(contains(run("stats --db /nonexistent/kg.db --workspace " + films).err, "/nonexistent/kg.db"))
      << "the command line wins";
  EXPECT_TRUE(contains(run("plan --from a --workspace " + films).err, "runs/walker"))
      << "its walker is meant";
  const Result none = run("stats --workspace " + folder.path().string());
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(contains(none.err, "kgwalk init") && is_one_line(none.err)) << none.err;
  write_file_atomically(folder / "films/kgwalk.json",
                        "{\"format\": \"kgwalk-workspace\", \"version\": 1, \"dv\": \"x\"}");
  EXPECT_TRUE(contains(run("stats --workspace " + films).err, "'dv' is unknown"));
}

TEST(GraphProgram, ReadsAGraphFromStandardInputAndGivesItBack) {
  const TempFolder folder;
  const std::string database = " --db " + (folder / "kg.db").string(), out = (folder / "out.nt").string();
  write_file_atomically(folder / "g.ttl", "@prefix : <x:> .\n:IronMan :directedBy :Favreau .\n:bad\n");
  const Result result = run("ingest - --format text/turtle" + database + " < " + (folder / "g.ttl").string());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "standard input:")) << result.err;
  EXPECT_TRUE(contains(result.out, "triples     1 read")) << result.out;
  EXPECT_EQ(run("export" + database + " --graph " + out).status, 0);
  EXPECT_TRUE(contains(read_file(out), "<x:IronMan> <x:directedBy> <x:Favreau> .\n")) << read_file(out);
  EXPECT_TRUE(contains(run("ingest -" + database + " --replace").err, "give --format FORMAT"));
  EXPECT_TRUE(contains(run("ingest " + out + " --format trutle" + database).err, "did you mean 'turtle'"));
  EXPECT_TRUE(contains(run("export --embeddings " + out + database).err, "make it with `kgwalk embed --db"));
  EXPECT_EQ(run("export" + database).status, 2);
}

// Two hundred pairs of one name: half told apart by what is said with the name, half by what was said before.
TEST(GraphProgram, TellsEntitiesOfOneNameApartAndAsksBackWhereNothingDoes) {
  const TempFolder folder;
  const std::string at = folder.path().string();
  ASSERT_EQ(std::system((std::string(KGWALK_SOURCE_DIR) + "/scripts/make_namesakes.sh " + at).c_str()), 0);
  const Result ingested = run("ingest " + at + "/namesakes.nq --db " + at + "/kg.db --quiet --no-progress");
  ASSERT_EQ(ingested.status, 0) << ingested.err;
  const Result measured =
      run("entities --db " + at + "/kg.db --cases " + at + "/cases.tsv --json " + at + "/out.json");
  ASSERT_EQ(measured.status, 0) << measured.err;
  const Json kinds = Json::parse(read_file(folder / "out.json"))["kinds"];
  for (const char* kind : {"said", "about", "nothing"}) {
    EXPECT_EQ(kinds[kind]["cases"], std::string(kind) == "nothing" ? 200 : 100);
    EXPECT_GE(kinds[kind]["right"].get<double>(), 0.9 * kinds[kind]["cases"].get<double>()) << measured.out;
  }
}

TEST(GraphProgram, ShowsMergesAndProposesEntities) {
  const TempFolder folder;
  const std::string db = (folder / "kg.db").string();
  write_file_atomically(folder / "e.csv", "id,name,type,aliases\nt1,Titanic,film,RMS\nt2,Titanic,film,\n");
  write_file_atomically(folder / "f.csv",
                        "head,relation,tail,w,s\nt1,by,Cameron,0.5,imdb\nt2,by,Cameron,,\nt2,in,Halifax,,\n");
  const std::string files = (folder / "f.csv").string() + " --entities " + (folder / "e.csv").string();
  const Result made = run("ingest " + files + " --db " + db + " --weight w --source s --quiet --no-progress");
  ASSERT_EQ(made.status, 0) << made.err;
  const Result shown = run("entities --db " + db + " t1");
  EXPECT_NE(shown.out.find("Titanic (t1)\nid           t1\ntypes        film\naliases      RMS\n"),
            std::string::npos)
      << shown.out;
  EXPECT_NE(shown.out.find("-[by]-> Cameron  weight 0.5 [imdb]\n"), std::string::npos) << shown.out;
  const Result asked = run("entities --db " + db + " --link 'titanic in halifax'");
  EXPECT_EQ(asked.out.substr(0, asked.out.find('\n')), "titanic: Titanic (t2)") << asked.out;
  const Result pairs = run("entities --db " + db + " --duplicates");
  EXPECT_NE(pairs.out.find("both are called 'Titanic', both are film; 1 neighbor in common: Cameron"),
            std::string::npos)
      << pairs.out;
  EXPECT_EQ(run("entities --db " + db + " --merge t1=t2 --quiet").status, 0);
  EXPECT_NE(run("entities --db " + db + " t1").out.find("-[in]-> Halifax"), std::string::npos);
  EXPECT_EQ(run("entities --db " + db + " --merge t1").status, 2);
  EXPECT_EQ(run("entities --db " + db).status, 2);
  EXPECT_EQ(run("entities --db " + db + " Titanik").status, 1);
}

TEST(GraphProgram, APlanOfTablesIsMadeInAWorkspaceAndReadFromThere) {
  const TempFolder folder;
  const std::string films = (folder / "films").string(), tables = " " + (folder / "tables").string();
  const std::string plan = (folder / "plan.json").string();
  std::filesystem::create_directories(folder / "tables");
  write_file_atomically(folder / "tables/films.csv", "id,title,maker_id\n1,Metropolis,2\n2,Sunrise,1\n");
  write_file_atomically(folder / "tables/people.csv", "id,name\n1,F. W. Murnau\n2,Fritz Lang\n");
  ASSERT_EQ(run("init " + films).status, 0);
  const Result planned = run("ingest --workspace " + films + tables + " --plan " + plan);
  EXPECT_EQ(planned.status, 0) << planned.err;
  EXPECT_TRUE(contains(planned.out, "a row per thing")) << planned.out;
  EXPECT_FALSE(std::filesystem::exists(folder / "films/kg.db")) << "a plan makes no database";
  const Result again = run("ingest --workspace " + films + tables + " --plan " + plan);
  EXPECT_EQ(again.status, 0) << "a plan is made anew: " << again.err;
  const Result read = run("ingest --quiet --workspace " + films + tables + " --mapping " + plan);
  EXPECT_EQ(read.status, 0) << read.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "films/kg.db"));
  const Result link = run("distance --workspace " + films + " --from Metropolis --to \"Fritz Lang\"");
  EXPECT_TRUE(link.out.starts_with("1\n")) << link.out << link.err;
}

}  // namespace
}  // namespace kgwalk
