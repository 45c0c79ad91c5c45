#include "planner/formats/plan_parts.h"

#include <fmt/format.h>

#include "runtime/plot.h"

namespace kgwalk {
namespace {

constexpr std::string_view kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;margin:0;color:#1c2430;background:#f6f7f9}
main{display:grid;grid-template-columns:minmax(260px,1fr) 3fr;gap:24px;padding:24px}
h1{font-size:19px;margin:0 0 4px}h2{font-size:15px;margin:0 0 12px;color:#536070}
section{background:#fff;border-radius:10px;padding:18px;box-shadow:0 1px 3px #0002;overflow-x:auto}
.said{border-radius:10px;padding:8px 12px;margin:0 0 10px;background:#eef1f5;max-width:90%}
.assistant{background:#dcebff;margin-left:10%}.who{font-size:12px;color:#6a7686}
table{border-collapse:collapse;margin-top:16px;width:100%}td,th{text-align:left;padding:4px 10px 4px 0;font-size:14px}
th{color:#536070;font-weight:600;border-bottom:1px solid #d5dae1}td.n{font-variant-numeric:tabular-nums}
main.turns{display:block;max-width:1180px;margin:auto}
.turn{display:grid;grid-template-columns:minmax(220px,1fr) 560px 130px;gap:18px;align-items:center;
border-top:1px solid #e3e7ec;padding:10px 0}.left{font-size:13px;color:#536070}
.bar{height:8px;border-radius:4px;background:#2f6fb5;margin-top:4px}.reached{color:#1d7a3e;font-weight:600}
@media(max-width:800px){main{grid-template-columns:1fr}.turn{grid-template-columns:1fr}}
)";

}  // namespace

Json hop_as_json(const PlannedHop& hop) {
  Json json = {
      {"head", hop.head}, {"relation", hop.relation}, {"tail", hop.tail}, {"probability", hop.probability}};
  if (!hop.sources.empty()) json["sources"] = hop.sources;
  if (hop.weight) json["weight"] = *hop.weight;
  return json;
}

Json hops_as_json(const std::vector<PlannedHop>& hops) {
  Json list = Json::array();
  for (const PlannedHop& hop : hops) list.push_back(hop_as_json(hop));
  return list;
}

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string dot_edge_attributes(const PlannedHop& hop, bool rejected) {
  return fmt::format("label={}, penwidth={:.2f}{}",
                     dot_string(fmt::format("{} {:.1f}%", hop.relation, 100 * hop.probability)),
                     0.5 + 6 * hop.probability, rejected ? kDotRejected : "");
}

std::string said_as_html(const Utterance& utterance) {
  return fmt::format("<div class=\"said {0}\"><div class=\"who\">{0}</div>{1}</div>",
                     escape_xml(utterance.speaker), escape_xml(utterance.text));
}

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{}</title><style>{}</style></head>\n<body>{}</body></html>\n",
      escape_xml(title), kStyle, body);
}

}  // namespace kgwalk
