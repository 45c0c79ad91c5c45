#include "cli/about/ablations.h"

#include <algorithm>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::cli {
namespace {

struct Ablation {
  std::string_view task;    // empty: every one that has such an option
  std::string_view option;  // whole, or behind a dot; "heads.*" is all of a group
};

constexpr Ablation kAblations[] = {
    // The optimizer's constants, and a course of the learning rate that no preset takes.
    {"", "adam.beta1"},
    {"", "adam.beta2"},
    {"", "adam.eps"},
    {"", "adam.l2"},
    {"", "schedule.total_steps"},
    {"", "schedule.plateau_factor"},
    {"", "schedule.plateau_patience"},
    // Layers: hi-attention, TASA, groups of heads and of layers, as presets set them.
    {"", "hi.*"},
    {"", "hi_memory.*"},
    {"", "tasa.*"},
    {"", "heads.*"},
    {"", "coder.head_width"},
    {"", "coder.attention_bias"},
    {"", "coder.norm_eps"},
    {"", "coder.group_layers"},
    {"", "model.scale_embeddings"},
    {"", "model.normalize_embeddings"},
    {"", "model.output_bias"},
    {"", "transformer.scale_embeddings"},
    {"", "transformer.normalize_embeddings"},
    {"", "transformer.output_bias"},
    // TransE's variants.
    {"", "embedding.corruption"},
    {"", "embedding.group_answers"},
    {"", "embedding.correction"},
    {"", "embedding.subsampling"},
    {"", "embedding.scale"},
    {"", "embedding.temperature"},
    {"", "embedding.l2_penalty"},
    {"", "embedding.initial"},
    // Text encoders: members of Hugging Face's config.json that belong to a network that was trained.
    {"pretrain-text", "model.vocab_size"},
    {"pretrain-text", "model.hidden_dropout_prob"},
    {"pretrain-text", "model.attention_probs_dropout_prob"},
    {"pretrain-text", "model.type_vocab_size"},
    {"pretrain-text", "model.initializer_range"},
    {"pretrain-text", "model.layer_norm_eps"},
    {"pretrain-text", "model.num_hidden_groups"},
    {"pretrain-text", "model.inner_group_num"},
    {"pretrain-text", "model.pad_token_id"},
    {"task slu text", "model.vocab_size"},
    {"task slu text", "model.hidden_dropout_prob"},
    {"task slu text", "model.attention_probs_dropout_prob"},
    {"task slu text", "model.type_vocab_size"},
    {"task slu text", "model.initializer_range"},
    {"task slu text", "model.layer_norm_eps"},
    {"task slu text", "model.num_hidden_groups"},
    {"task slu text", "model.inner_group_num"},
    {"task slu text", "model.pad_token_id"},
    // The walker's networks.
    {"train", "max_path_history"},
    {"train", "dialogue_first"},
    {"train", "length_head"},
    {"train", "goal_visible"},
    {"train", "metapath.*"},
    {"train", "scoring.separate"},
    {"train", "scoring.relation_bias"},
    {"train", "scoring.feature_hidden"},
    {"train", "scoring.relation_width"},
    {"train", "scoring.feature_dropout"},
    {"train", "scoring.goal_hidden"},
    {"train", "scoring.goal_exact"},
    {"train", "scoring.goal_width"},
    {"train", "scoring.goal_rank"},
    {"train", "scoring.scale"},
    {"train", "text.user_only"},
    {"train", "text.states"},
    {"train", "text.pooled"},
    {"train", "text.trained_rate"},
    {"train", "text.word_utterances"},
    {"train", "text.word_min_messages"},
    {"train", "text.word_dropout"},
    {"train", "listen.layers"},
    {"train", "listen.buckets"},
    {"train", "listen.max_words"},
    {"train", "listen.dropout"},
    {"train", "listen.word_dropout"},
    {"train", "listen.own_dropout"},
    {"train", "listen.reworded"},
    {"train", "listen.unheard"},
    {"train", "listen.relation_words"},
    {"train", "listen.global_loss"},
    {"train", "loss.*"},
    // Questions to learn from.
    {"questions", "fillers"},
    {"questions", "distractors"},
    {"questions", "composed"},
    {"questions", "by_name"},
    {"questions", "remarks"},
    {"questions", "reworded"},
    {"questions", "walks"},
    // Stage 2.
    {"rl", "goal_exact"},
    {"rl", "goal_width"},
    {"rl", "goal_rank"},
    {"rl", "value_hidden"},
    {"rl", "imitation"},
    {"rl", "imitation_batch"},
    {"rl", "route.horizon"},
    {"rl", "route.detour"},
    {"rl", "route.spare"},
    {"rl", "a2c.value"},
    {"rl", "a2c.normalize"},
    {"rl", "environment.reward.than"},
    {"rl", "environment.reward.natural_scale"},
    {"rl", "environment.reward.natural_after"},
    // What is said.
    {"", "coverage_from"},
    {"", "speaker_coverage"},
    {"respond train", "worded"},
    {"respond train", "faithful"},
    {"respond train", "constrained"},
    {"respond train", "facts"},
    {"simulator train", "paths"},
    {"simulator train", "relations"},
    {"simulator train", "both"},
    {"simulator train", "openings"},
    {"simulator train", "deaf"},
    {"simulator train", "enough"},
    {"simulator train", "speech.attempts"},
    {"simulator train", "speech.checked"},
    // Speech.
    {"task asr train", "features.frame_ms"},
    {"task asr train", "features.shift_ms"},
    {"task asr train", "features.low_hz"},
    {"task asr train", "features.high_hz"},
    {"task asr train", "features.preemphasis"},
    {"task asr train", "features.lifter"},
    {"task asr train", "features.energy"},
    {"task asr train", "spec_augment.warp"},
    {"task asr train", "spec_augment.time_share"},
    {"task asr train", "spec_augment.vocal_tract"},
    {"task asr train", "model.subsampling.channels"},
    {"task asr train", "model.subsampling.over"},
    {"task asr train", "search.candidates"},
    {"task asr train", "search.unit_bonus"},
    // The speech encoder: members of wav2vec 2.0's config.json, as those of text encoders.
    {"task slu pretrain", "model.conv_dim"},
    {"task slu pretrain", "model.conv_kernel"},
    {"task slu pretrain", "model.conv_stride"},
    {"task slu pretrain", "model.conv_bias"},
    {"task slu pretrain", "model.feat_extract_norm"},
    {"task slu pretrain", "model.feat_extract_activation"},
    {"task slu pretrain", "model.num_conv_pos_embeddings"},
    {"task slu pretrain", "model.num_conv_pos_embedding_groups"},
    {"task slu pretrain", "model.do_stable_layer_norm"},
    {"task slu pretrain", "model.feat_proj_dropout"},
    {"task slu pretrain", "model.layer_norm_eps"},
    {"task slu pretrain", "model.initializer_range"},
    {"task slu pretrain", "codebook.*"},
    {"task slu pretrain", "mask_frames"},
    {"task slu align", "objective.*"},
    {"task slu align", "freeze_convolutions"},
    {"task slu train", "head.width"},
    {"task slu train", "head.recurrent"},
};

// "heads.*" matches "heads.groups" and "model.heads.groups", "adam.eps" matches "trainer.adam.eps", and
// "coder.norm_eps" is meant for encoder and decoder.
bool matches(const Ablation& ablation, std::string_view task, std::string_view option) {
  if (!ablation.task.empty() && ablation.task != task) return false;
  std::string_view name = ablation.option;
  if (name.ends_with(".*")) {
    name.remove_suffix(1);
    return option.starts_with(name) || option.find("." + std::string(name)) != std::string_view::npos;
  }
  if (option == name || option.ends_with("." + std::string(name))) return true;
  return name.starts_with("coder.") && option.ends_with(name);
}

}  // namespace

bool is_ablation(std::string_view task, std::string_view option) {
  return std::any_of(std::begin(kAblations), std::end(kAblations),
                     [&](const Ablation& ablation) { return matches(ablation, task, option); });
}

std::vector<OptionDoc> options_for(Audience audience, std::string_view task,
                                   const std::vector<OptionDoc>& all) {
  std::vector<OptionDoc> out;
  for (const OptionDoc& option : all)
    if (is_ablation(task, option.name) == (audience == Audience::kComparisons)) out.push_back(option);
  return out;
}

void refuse_unknown_ablations(const std::vector<Configurable>& tasks) {
  std::vector<bool> met(std::size(kAblations));
  for (const Configurable& task : tasks)
    for (const OptionDoc& option : task.options(""))
      for (std::size_t i = 0; i < met.size(); ++i)
        if (matches(kAblations[i], task.command, option.name)) met[i] = true;
  for (std::size_t i = 0; i < met.size(); ++i)
    if (!met[i])
      throw ConfigError("'" + std::string(kAblations[i].option) + "' of cli/about/ablations.cc is no option");
}

}  // namespace kgwalk::cli
