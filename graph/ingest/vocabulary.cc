#include "graph/ingest/vocabulary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "graph/ingest/iri_names.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

struct Usual {
  std::string_view prefix, iri;
};

constexpr Usual kUsual[] = {
    {"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
    {"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
    {"owl", "http://www.w3.org/2002/07/owl#"},
    {"xsd", "http://www.w3.org/2001/XMLSchema#"},
    {"skos", "http://www.w3.org/2004/02/skos/core#"},
    {"foaf", "http://xmlns.com/foaf/0.1/"},
    {"dc", "http://purl.org/dc/elements/1.1/"},
    {"dcterms", "http://purl.org/dc/terms/"},
    {"dct", "http://purl.org/dc/terms/"},
    {"schema", "http://schema.org/"},
    {"schema", "https://schema.org/"},
    {"dbo", "http://dbpedia.org/ontology/"},
    {"dbp", "http://dbpedia.org/property/"},
    {"dbr", "http://dbpedia.org/resource/"},
    {"wd", "http://www.wikidata.org/entity/"},
    {"wdt", "http://www.wikidata.org/prop/direct/"},
    {"wikibase", "http://wikiba.se/ontology#"},
    {"prov", "http://www.w3.org/ns/prov#"},
    {"geo", "http://www.w3.org/2003/01/geo/wgs84_pos#"},
    {"mo", "http://purl.org/ontology/mo/"},
    {"org", "http://www.w3.org/ns/org#"},
    {"vcard", "http://www.w3.org/2006/vcard/ns#"},
    {"yago", "http://yago-knowledge.org/resource/"},
};

// Direct claims that dumps often give without their labels.
struct Numbered {
  int number;
  std::string_view words;
};
constexpr Numbered kWikidata[] = {
    {6, "head of government"},
    {17, "country"},
    {18, "image"},
    {19, "place of birth"},
    {20, "place of death"},
    {21, "sex or gender"},
    {22, "father"},
    {25, "mother"},
    {26, "spouse"},
    {27, "citizenship"},
    {30, "continent"},
    {31, "instance of"},
    {35, "head of state"},
    {36, "capital"},
    {37, "official language"},
    {38, "currency"},
    {39, "position held"},
    {40, "child"},
    {47, "shares border with"},
    {50, "author"},
    {57, "director"},
    {58, "screenwriter"},
    {61, "discoverer or inventor"},
    {69, "educated at"},
    {86, "composer"},
    {105, "taxon rank"},
    {106, "occupation"},
    {108, "employer"},
    {112, "founded by"},
    {123, "publisher"},
    {127, "owned by"},
    {131, "located in"},
    {136, "genre"},
    {138, "named after"},
    {140, "religion"},
    {144, "based on"},
    {155, "follows"},
    {156, "followed by"},
    {159, "headquarters location"},
    {161, "cast member"},
    {166, "award received"},
    {170, "creator"},
    {171, "parent taxon"},
    {175, "performer"},
    {176, "manufacturer"},
    {178, "developer"},
    {212, "ISBN-13"},
    {214, "VIAF ID"},
    {225, "taxon name"},
    {264, "record label"},
    {272, "production company"},
    {276, "location"},
    {279, "subclass of"},
    {361, "part of"},
    {364, "original language"},
    {400, "platform"},
    {407, "language of work"},
    {412, "voice type"},
    {449, "original broadcaster"},
    {452, "industry"},
    {463, "member of"},
    {495, "country of origin"},
    {527, "has part"},
    {569, "date of birth"},
    {570, "date of death"},
    {571, "inception"},
    {576, "dissolved"},
    {577, "publication date"},
    {580, "start time"},
    {582, "end time"},
    {585, "point in time"},
    {625, "coordinate location"},
    {641, "sport"},
    {674, "characters"},
    {737, "influenced by"},
    {793, "significant event"},
    {840, "narrative location"},
    {856, "official website"},
    {921, "main subject"},
    {1082, "population"},
    {1303, "instrument"},
    {1412, "languages spoken"},
    {2044, "elevation"},
    {2046, "area"},
    {2047, "duration"},
    {2048, "height"},
    {2067, "mass"},
    {3373, "sibling"},
};

bool is_number_like(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) || c == '.'; });
}

std::string_view namespace_of(std::string_view iri) {
  return iri.substr(0, iri.size() - local_part(iri).size());
}

// Folded, without marks between words: "dateCreated", "date_created" -> "datecreated".
std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c != '_' && c != '-' && c != ' ')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

template <std::size_t N>
bool is_one_of(const std::string_view (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

}  // namespace

std::optional<std::string> expanded(std::string_view word, const Prefixes& prefixes) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || word.substr(colon).starts_with("://")) return std::nullopt;
  const std::string_view prefix = word.substr(0, colon), local = word.substr(colon + 1);
  for (const auto& [name, iri] : prefixes)
    if (name == prefix) return iri + std::string(local);
  for (const Usual& usual : kUsual)
    if (usual.prefix == prefix) return std::string(usual.iri) + std::string(local);
  return std::nullopt;
}

bool means(std::string_view word, std::string_view property, const Prefixes& prefixes) {
  if (word == property) return true;
  if (word.find(':') == std::string_view::npos) return squeezed(word) == squeezed(local_part(property));
  if (const auto iri = expanded(word, prefixes)) {
    if (*iri == property) return true;
    // schema.org stands under http and under https.
    return iri->starts_with("http://schema.org/") && property.starts_with("https://schema.org/") &&
           iri->substr(7) == property.substr(8);
  }
  return false;
}

std::string vocabulary_of(std::string_view iri, const Prefixes& prefixes) {
  const std::string_view space = namespace_of(iri);
  for (const auto& [name, begin] : prefixes)
    if (begin == space && !name.empty()) return name;
  for (const Usual& usual : kUsual)
    if (usual.iri == space) return std::string(usual.prefix);
  for (std::string_view rest = space; !rest.empty();) {
    const std::string_view part = local_part(rest);
    if (!part.empty() && !is_number_like(part)) return name_text(part);
    const std::string_view shorter = namespace_of(rest.substr(0, rest.find_last_not_of("/#") + 1));
    if (shorter.size() >= rest.size()) break;
    rest = shorter;
  }
  return {};
}

const std::vector<std::string>& naming_properties() {
  static const std::vector<std::string> kProperties = {"http://www.w3.org/2004/02/skos/core#prefLabel",
                                                       "http://www.w3.org/2000/01/rdf-schema#label",
                                                       "http://schema.org/name",
                                                       "https://schema.org/name",
                                                       "http://xmlns.com/foaf/0.1/name",
                                                       "http://purl.org/dc/terms/title",
                                                       "http://purl.org/dc/elements/1.1/title",
                                                       "name"};
  return kProperties;
}

bool may_name(std::string_view property) {
  constexpr std::string_view kParts[] = {"name", "label", "title"};
  return is_one_of(kParts, squeezed(local_part(property)));
}

bool declares(std::string_view iri) {
  const std::string_view space = namespace_of(iri);
  return space == kUsual[0].iri || space == kUsual[1].iri || space == kUsual[2].iri ||
         space == "http://wikiba.se/ontology#";
}

bool is_property_class(std::string_view iri) {
  return declares(iri) && (local_part(iri).ends_with("Property"));
}

std::string_view wikidata_property(std::string_view iri) {
  constexpr std::string_view kBegins[] = {"http://www.wikidata.org/prop/direct/P",
                                          "http://www.wikidata.org/entity/P"};
  for (const std::string_view begin : kBegins)
    if (iri.starts_with(begin))
      for (const Numbered& known : kWikidata)
        if (iri.substr(begin.size()) == std::to_string(known.number)) return known.words;
  return {};
}

std::string relation_name_without_label(std::string_view iri) {
  const std::string_view known = wikidata_property(iri);
  return known.empty() ? relation_name_of_id(iri) : std::string(known);
}

bool is_file_address(std::string_view iri) {
  constexpr std::string_view kExtensions[] = {"png", "jpg",  "jpeg", "gif",  "svg",  "webp",
                                              "tif", "tiff", "bmp",  "ogg",  "oga",  "ogv",
                                              "mp3", "mp4",  "wav",  "flac", "webm", "pdf"};
  const std::size_t dot = iri.rfind('.');
  if (dot == std::string_view::npos || !is_web_address(iri) || iri.find('/', dot) != std::string_view::npos)
    return false;
  return is_one_of(kExtensions, squeezed(iri.substr(dot + 1, iri.find_first_of("?#", dot) - dot - 1)));
}

bool is_web_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

}  // namespace kgwalk::graph
