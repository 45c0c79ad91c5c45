// The picture of significance priors and chosen spans.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/plot.h"
#include "seq2seq/tasks/understanding/distillation.h"

namespace kgwalk::seq2seq {
namespace {

constexpr double kLeft = 20, kWidth = 900, kWaveTop = 40, kWaveHeight = 150, kPriorTop = 205,
                 kPriorHeight = 70, kTextTop = 315, kTextHeight = 60;
constexpr const char* kColors[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"};

// The envelope: a thin bar a column from the smallest to the largest sample there.
std::string waveform(const std::vector<float>& samples) {
  float peak = 1e-6F;
  for (const float s : samples) peak = std::max(peak, std::fabs(s));
  const auto columns = static_cast<std::size_t>(kWidth);
  std::string path;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t begin = c * samples.size() / columns,
                      end = std::max(begin + 1, (c + 1) * samples.size() / columns);
    if (begin >= samples.size()) break;
    const auto [low, high] =
        std::minmax_element(samples.begin() + static_cast<std::ptrdiff_t>(begin),
                            samples.begin() + static_cast<std::ptrdiff_t>(std::min(end, samples.size())));
    const double middle = kWaveTop + kWaveHeight / 2, scale = kWaveHeight / 2 / static_cast<double>(peak);
    path += fmt::format("M{:.1f} {:.1f}V{:.1f}", kLeft + static_cast<double>(c),
                        middle - scale * static_cast<double>(*high),
                        middle - scale * static_cast<double>(*low) + 0.5);
  }
  return "<path d=\"" + path + "\" stroke=\"#555\" stroke-width=\"1\" fill=\"none\"/>\n";
}

struct BarArea {
  double top, height, step;
};

// A bar a number, the largest as high as the area; each in its own color or all in one.
std::string bars(const std::vector<float>& prior, const BarArea& area, bool colored) {
  std::string svg;
  const float most = *std::max_element(prior.begin(), prior.end());
  for (std::size_t i = 0; i < prior.size(); ++i) {
    const double tall =
        area.height * static_cast<double>(prior[i]) / std::max(1e-12, static_cast<double>(most));
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                       kLeft + area.step * static_cast<double>(i), area.top + area.height - tall,
                       std::max(0.5, 0.8 * area.step), tall, kColors[colored ? i % std::size(kColors) : 0]);
  }
  return svg;
}

}  // namespace

std::string significance_svg(const std::string& title, const SignificancePicture& picture) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} 420\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"22\" "
      "font-size=\"15\">{}</text>\n",
      kWidth + 2 * kLeft, kLeft, escape_xml(title));
  const double samples = std::max<double>(1, static_cast<double>(picture.samples.size()));
  const double per_frame = kWidth * static_cast<double>(picture.samples_per_frame) / samples;
  const bool matched = !picture.pieces.empty();
  for (std::size_t i = 0; i < picture.spans.size(); ++i) {
    const SpeechSpan& span = picture.spans[i];
    const char* color = kColors[i % std::size(kColors)];
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\" "
        "fill-opacity=\"{}\"><title>{} frames "
        "{} to {}</title></rect>\n",
        kLeft + per_frame * static_cast<double>(span.begin), kWaveTop,
        per_frame * static_cast<double>(span.end - span.begin), kWaveHeight, color, matched ? 0.22 : 0.1,
        matched ? escape_xml(picture.pieces[i]) : "span", span.begin, span.end - 1);
  }
  svg += waveform(picture.samples);
  svg += fmt::format("<text x=\"{}\" y=\"{}\">significance of the frames</text>\n", kLeft, kPriorTop - 4);
  if (!picture.speech_prior.empty())
    svg += bars(picture.speech_prior, {kPriorTop, kPriorHeight, per_frame}, false);
  if (matched) {
    const double step = kWidth / static_cast<double>(picture.pieces.size());
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\">significance of the pieces; spans above have the color of the piece "
        "that chose them</text>\n",
        kLeft, kTextTop - 6);
    svg += bars(picture.text_prior, {kTextTop, kTextHeight, step}, true);
    for (std::size_t i = 0; i < picture.pieces.size(); ++i)
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", kLeft + step * static_cast<double>(i),
                         kTextTop + kTextHeight + 18, escape_xml(picture.pieces[i]));
  }
  return svg + "</svg>\n";
}

}  // namespace kgwalk::seq2seq
