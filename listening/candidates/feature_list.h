// The columns of candidates' features and of utterances' cues, each with its name. Torch-free.
#pragma once

// Shapes, answers and what is asked; words of relations and types; names; what is left unexplained and where
// words stand; kinds of answers; shapes against words of the question; what was said before.
// clang-format off
#define KGWALK_LISTENING_FEATURES(X) \
  X(ShapeOne, "shape.one") X(ShapeTwo, "shape.two") X(ShapeAnd, "shape.and") X(ShapeBut, "shape.but") \
  X(ShapeThose, "shape.those") X(ShapePair, "shape.pair") X(ShapeNothing, "shape.nothing") X(Check, "check") X(CheckYes, "check.yes") X(CheckUnknown, "check.unknown") \
  X(CheckEdge, "check.edge") X(CheckUnknownUnused, "check.unknown*unused") X(First, "first") X(Last, "last") \
  X(After, "after") X(Before, "before") X(At, "at") X(Which, "which") X(LeastOf, "least") X(More, "more") \
  X(Less, "less") X(Same, "same") X(ByCount, "by_count") X(Truth, "truth") X(DirF, "direction.f") \
  X(DirB, "direction.b") X(DirFF, "direction.ff") X(DirFB, "direction.fb") X(DirBF, "direction.bf") \
  X(DirBB, "direction.bb") X(AndFF, "and.ff") X(AndBB, "and.bb") X(AndMixed, "and.mixed") X(TwoBack, "two.back") \
  X(AndSame, "and.same") X(AnswersLog, "answers.log") X(AnswersOne, "answers.one") X(AnswersMany, "answers.many") \
  X(OnePlural, "answers.one*plural") X(MoreSingular, "answers.more*singular") X(EdgesLog, "edges.log") \
  X(EdgesLogMin, "edges.log.min") X(Stem1, "stem.1") X(Stem2, "stem.2") X(StemMin, "stem.min") \
  X(StemMean, "stem.mean") X(Family1, "family.1") X(Family2, "family.2") X(FamilyMin, "family.min") \
  X(Name1, "name.1") X(Name2, "name.2") X(NameMin, "name.min") X(NameMean, "name.mean") \
  X(Meaning1, "meaning.1") X(Meaning2, "meaning.2") X(MeaningMin, "meaning.min") X(Nearest1, "nearest.1") \
  X(Nearest2, "nearest.2") X(NearestMin, "nearest.min") X(Remote, "remote") \
  X(NameWholeMin, "name.whole.min") X(MeasureStem, "measure.stem") X(MeasureFamily, "measure.family") \
  X(MeasureHint, "measure.hint") X(MeasureDate, "measure.date") X(MeasureNumber, "measure.number") \
  X(OrderFits, "order.fits") X(OrderWrong, "order.wrong") X(OrderKind, "order.kind") X(OrderUnused, "order.unused") \
  X(ValueUnused, "value.unused") X(NegationUnused, "negation.unused") X(OrUnused, "or.unused") \
  X(TypeAnswer, "type.answer") X(TypeMiddle, "type.middle") X(TypeMatch, "type.match") X(TypeUnused, "type.unused") \
  X(TypeOwn, "type.own") X(TypeSame, "type.same") X(LinkMean, "link.mean") X(LinkMin, "link.min") \
  X(LinkCover, "link.cover") X(LinkTwo, "link.two") X(LinkCapital, "link.capital") X(LinkWords, "link.words") \
  X(LinkSpokenOf, "link.spoken_of") \
  X(FitWritten, "fit.written") X(FitWhole, "fit.whole") X(FitJoined, "fit.joined") X(FitPart, "fit.part") \
  X(FitSlip, "fit.slip") X(CoverCapital, "cover.capital") X(CoverWords, "cover.words") \
  X(UnusedMention, "unused.mention") X(UnusedCount, "unused.count") X(UnusedTwo, "unused*two") \
  X(UnusedAnd, "unused*and") X(Unexplained, "unexplained") X(UnexplainedCount, "unexplained.count") \
  X(Near1, "near.1") X(Near2, "near.2") X(WordOrder, "order") X(Swap, "swap") X(WhoPerson, "who.person") \
  X(WhoOther, "who.other") X(WherePlace, "where.place") X(WhereOther, "where.other") X(WhenDate, "when.date") \
  X(WhenOther, "when.other") X(WhatAny, "what.any") X(HowNumber, "how.number") X(HowOther, "how.other") \
  X(AndWordAnd, "and_word*and") X(AndWordTwo, "and_word*two") X(CommonAnd, "common*and") X(CommonTwo, "common*two") \
  X(OfTwo, "of*two") X(WhoseTwo, "whose*two") X(WhoseAnd, "whose*and") X(LengthOne, "length*one") \
  X(LengthTwo, "length*two") X(LengthAnd, "length*and") X(OtherBack, "other*back") X(MentionsOne, "mentions*one") \
  X(MentionsTwo, "mentions*two") X(MentionsAnd, "mentions*and") X(Focus, "focus") X(FocusTopic, "focus.topic") \
  X(FocusAnswer, "focus.answer") X(FocusAgo, "focus.ago") X(FocusPersonFits, "focus.person.fits") \
  X(FocusPersonNot, "focus.person.not") X(FocusThingFits, "focus.thing.fits") X(FocusThingNot, "focus.thing.not") \
  X(FocusNounFits, "focus.noun.fits") X(FocusNounNot, "focus.noun.not") X(FocusNoPronoun, "focus.no_pronoun") \
  X(FocusUnused, "focus.unused") X(FocusShort, "focus.short") X(FocusOnly, "focus.only") X(FocusSelf, "focus.self") \
  X(FocusFirst, "focus.first") X(FocusList, "focus.list") X(Again, "again") X(AgainShort, "again.short") \
  X(AgainNot, "again.not") X(AgainCounted, "again.counted") X(Those, "those") X(ThoseSaid, "those.said") \
  X(ThoseNot, "those.not") X(ThoseBare, "those.bare") X(ThoseCounted, "those.counted") X(ThoseOld, "those.old") X(OthersName, "others.name") \
  X(OthersUnexplained, "others.unexplained") X(OthersLink, "others.link") X(OthersCapital, "others.capital") \
  X(FocusLeft, "focus.left") X(FocusLeftSaid, "focus.left.said") X(FocusLeftNot, "focus.left.not") \
  X(FocusChosen, "focus.chosen") X(FocusPlaceFits, "focus.place.fits") X(FocusPlaceNot, "focus.place.not") \
  X(Rest, "rest") X(RestNot, "rest.not") X(ButBehind, "but.behind") X(ButFront, "but.front") \
  X(ButNegated, "but.negated") X(TypeSet, "type.set") X(TypeSetNamed, "type.set.named") X(RestTwoBack, "rest*two.back") \
  X(RestOne, "rest*one") X(CheckBothHave, "check.both_have") X(CheckNoneHas, "check.none_has") \
  X(ShapeEnds, "shape.ends") X(Than, "than") X(ThanSaid, "than.said") X(FilterCount, "filter*count") \
  X(CheckType, "check.type") X(HeadAnswer, "head.answer") X(HeadOther, "head.other") X(HeadNone, "head.none") \
  X(LinkEveryday, "link.everyday") X(FocusEveryday, "focus.everyday") \
  X(LinkNoun, "link.noun") X(PrepositionFits, "preposition.fits") X(PrepositionNot, "preposition.not") \
  X(PrepositionBare, "preposition.bare.fits") X(PrepositionBareNot, "preposition.bare.not") \
  X(AgainSet, "again.set") X(AgainSetNot, "again.set.not") X(UnusedCapital, "unused.capital") \
  X(FocusUnusedCapital, "focus.unused.capital") X(VoiceFits, "voice.fits") X(VoiceNot, "voice.not") \
  X(Sum, "sum") X(Average, "average") X(Difference, "difference")

#define KGWALK_LISTENING_CUES(X) \
  X(HowMany, "how_many") X(CountWord, "count") X(NumberWord, "number") X(TotalWord, "total") \
  X(Auxiliary, "auxiliary") X(QuestionWord, "question_word") X(Imperative, "imperative") X(OrWord, "or") \
  X(NotWord, "not") X(SuperlativeMore, "superlative.more") X(SuperlativeLess, "superlative.less") \
  X(CompareMore, "compare.more") X(CompareLess, "compare.less") X(HasValue, "value") X(HasRange, "range") \
  X(SameWord, "same") X(ThanWord, "than") X(InValue, "in_value") X(AfterValue, "after_value") \
  X(BeforeValue, "before_value") X(TwoNames, "two_names") X(AllWord, "all") X(Plural, "plural") \
  X(ShortText, "short") X(ThoseWord, "those") X(BeforeCounted, "before.counted") X(BeforeSeveral, "before.several") \
  X(BeforeChecked, "before.checked") X(AverageWord, "average") X(SumWord, "sum") X(DifferenceWord, "difference")
// clang-format on

namespace kgwalk::listening {

#define KGWALK_LISTENING_NAME(id, name) k##id,
enum class Feature : unsigned short { KGWALK_LISTENING_FEATURES(KGWALK_LISTENING_NAME) kCount };
enum class Cue : unsigned short { KGWALK_LISTENING_CUES(KGWALK_LISTENING_NAME) kCount };
#undef KGWALK_LISTENING_NAME

inline constexpr std::size_t kNumFeatures = static_cast<std::size_t>(Feature::kCount);
inline constexpr std::size_t kNumCues = static_cast<std::size_t>(Cue::kCount);

}  // namespace kgwalk::listening
