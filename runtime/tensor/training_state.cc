#include "runtime/tensor/training_state.h"

#include <set>

#include "kgwalk/error.h"

namespace kgwalk {

void RunningMeans::add(const std::string& name, double value, double weight) {
  Sum& sum = sums_[name];
  sum.value += value * weight;
  sum.weight += weight;
}

Json RunningMeans::means() const {
  Json json = Json::object();
  for (const auto& [name, sum] : sums_) json[name] = sum.weight > 0 ? sum.value / sum.weight : 0.0;
  return json;
}

Json RunningMeans::to_json() const {
  Json json = Json::object();
  for (const auto& [name, sum] : sums_) json[name] = {sum.value, sum.weight};
  return json;
}

void RunningMeans::from_json(const Json& json) {
  sums_.clear();
  for (const auto& item : json.items())
    sums_[item.key()] = {item.value().at(0).get<double>(), item.value().at(1).get<double>()};
}

Json TrainingState::to_json() const {
  return {{"seed", seed},
          {"step", step},
          {"epoch", epoch},
          {"next_batch", next_batch},
          {"batches", batches},
          {"total_steps", total_steps},
          {"shuffle", shuffle},
          {"evaluation_due", evaluation_due},
          {"evaluated_step", evaluated_step},
          {"finished", finished},
          {"best_score", best_score ? Json(*best_score) : Json(nullptr)},
          {"best_step", best_step},
          {"best_metrics", best_metrics},
          {"since_best", since_best},
          {"since_cut", since_cut},
          {"plateau_cuts", plateau_cuts},
          {"seconds", seconds},
          {"processor_seconds", processor_seconds},
          {"window", window.to_json()},
          {"window_updates", window_updates}};
}

TrainingState TrainingState::from_json(const Json& json, const std::string& source) {
  TrainingState s;
  try {
    json.at("seed").get_to(s.seed);
    json.at("step").get_to(s.step);
    json.at("epoch").get_to(s.epoch);
    json.at("next_batch").get_to(s.next_batch);
    json.at("batches").get_to(s.batches);
    json.at("total_steps").get_to(s.total_steps);
    json.at("shuffle").get_to(s.shuffle);
    json.at("evaluation_due").get_to(s.evaluation_due);
    json.at("evaluated_step").get_to(s.evaluated_step);
    json.at("finished").get_to(s.finished);
    if (const Json& best = json.at("best_score"); !best.is_null()) s.best_score = best.get<double>();
    json.at("best_step").get_to(s.best_step);
    s.best_metrics = json.at("best_metrics");
    json.at("since_best").get_to(s.since_best);
    json.at("since_cut").get_to(s.since_cut);
    json.at("plateau_cuts").get_to(s.plateau_cuts);
    json.at("seconds").get_to(s.seconds);
    json.at("processor_seconds").get_to(s.processor_seconds);
    s.window.from_json(json.at("window"));
    json.at("window_updates").get_to(s.window_updates);
  } catch (const Json::exception& error) {
    throw FormatError(source + ": is no state of a training: " + error.what());
  }
  return s;
}

}  // namespace kgwalk
