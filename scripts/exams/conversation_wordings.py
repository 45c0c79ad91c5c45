"""What is said in the exam of make_conversations.py, in the words of somebody who had not seen how the program is trained."""

# {f} a film, {g} another, {p} a person, {q} another, {y} a year, {he} {his} {him} a person's pronouns.
SMALL_TALK = [
    "hi", "hello", "yo whats up", "Good morning!", "hey, anybody home?", "Hi, nice to meet you.", "hiya :)",
    "thx", "ty so much", "Thank you very much, you have been most helpful.", "That was very kind of you.", "cool, thanks",
    "ok", "k", "I understand.", "got it thanks", "alright then", "nice one", "wow, didn't know that", "haha", "hahaha you're funny",
    "that's great to hear", "how's it going?", "How are you today, my friend?", "are you having a good day", "what's new with you",
    "i'm bored", "I have a headache today.", "it's so hot outside", "I just got home from school", "My grandson showed me how to use this.",
    "Excuse my English, I am still learning.", "give me a sec", "brb", "sorry typo", "goodbye!", "gotta go, ttyl", "Have a nice evening.",
    "good night", "See you tomorrow!", "You're the best", "well done!", "not bad for a machine", "never mind", "Oh dear.",
    "I love talking with you", "no worries", "hmm let me think"]
ABILITY = ["what can you do", "who are you?", "What is it that you know about?", "are you a real person or a computer", "do you have a name?",
           "How does this work, please?", "what can i ask you", "help", "Which topics do you know?", "is this a bot?", "could you explain what you are for?"]
DIRECT = {
    "directed_by": ["hey who directed the movie {f}", "Could you please tell me the name of the person who directed {f}?", "{f} director",
                    "Do you happen to know the director's name for {f}?", "who's the guy behind the camera on {f}", "By whom was {f} directed?",
                    "{f} - who is it directed by", "I forgot who directed {f}, can you help me out?", "who made {f}, i mean which director"],
    "written_by": ["who wrote {f}", "Could you tell me who penned {f}?", "I would like to know a screenwriter of {f}, please.", "{f} writer?",
                   "who came up with the script for {f}", "By whom is {f} written?", "do u know who has written {f}", "Who got the writing credit on {f}?"],
    "starred_actors": ["who all is in {f}", "Who acts in the film {f}?", "tell me somebody who was in {f}", "Who were the stars of {f}, please?", "cast of {f}",
                       "which actors did they get for {f}", "The actors from the movie {f}, who are they?", "Whom can we see in the film {f}?"],
    "release_year": ["what's the release year of {f}", "{f} release date", "When did they make {f}?", "Do you remember what year {f} came out?",
                     "in which year did they release {f}", "{f} is from what year?", "Would you mind telling me when {f} was first shown?",
                     "when was {f} in the cinema", "when did {f} hit theaters?"],
    "has_genre": ["what type of movie is {f}", "is {f} a comedy, a drama or what?", "{f} genre", "What kind of a picture is {f} exactly?",
                  "Please tell me the genre of {f}.", "which category does {f} fall into", "How would you classify {f}, genre wise?",
                  "I don't know {f}, is it horror, romance, something else?"]}
PRONOUN = {
    "directed_by": ["directed by whom?", "Who is this movie's director?", "do you know who directed the movie?", "whos the director on this one",
                    "By which director is it?", "any idea who directed that film", "Could you remind me who the director was?"],
    "written_by": ["who wrote it", "Do you know who wrote this film?", "who came up with the script of it", "Who is the writer of the movie, please?",
                   "and it was written by...?", "whos the screenwriter of this one"],
    "release_year": ["release year of it?", "From what year would this movie be?", "when did this one come out", "In which year have they made it?",
                     "is it an old movie? what year", "How long ago was that film made, what year was it?"],
    "starred_actors": ["who is in it", "Who acts in the movie?", "who's in this one again", "What actors are playing in this film?", "remind me of the cast please",
                       "which stars are in it"],
    "has_genre": ["its genre please", "what kind of movie is it anyway", "Is this one a comedy, or what is it?", "To which genre does the movie belong?",
                  "in what category would you put it", "what type of movie is this one"]}
PRONOUN_PERSON = {
    "starred_actors": ["what movies has {he} done as an actor", "Which films has {he} been in?", "tell me a film with {him}", "What else can I watch with {him} in it?",
                       "What has {he} played in?", "name some of {his} movies"],
    "Place of birth": ["where was {he} born", "Where is {he} from originally, which city?", "What is {his} birthplace?", "in what place was {he} born?",
                       "{his} place of birth?", "Can you tell me where {he} was born, please?"],
    "Country of nationality": ["what nationality is {he}", "what country is {he} from", "Which nationality has {he}?", "From what country does {he} come?",
                               "{his} nationality?", "Is {he} American, British, or what?"],
    "Spouse (or domestic partner)": ["who is {he} married to", "Is {he} married? To whom?", "who did {he} marry", "{his} spouse?", "What's the name of {his} spouse?",
                                     "Does {he} have a partner, and who is it?"]}
LIKED = ["{f} is one of my favourites.", "just watched {f}", "omg {f} was so good", "I saw {f} with my wife the other day.",
         "My daughter plays {f} over and over again.", "Yesterday evening we have seen {f} on television.", "honestly {f} bored me a bit",
         "thinking about watching {f} tonight", "A colleague recommended {f} to me."]
LIKED_PERSON = ["I'm a big fan of {p}.", "{p} is so talented", "My mother always liked {p}.", "i think {p} is underrated", "We were just chatting about {p} at home.",
                "i love {p}!!", "Not sure I like {p} that much.", "{p} was on tv today"]
CAST_AFTER = ["who is in it", "Who acts in the movie?", "and the actors in it?", "what about the actors, who are they", "Are there any famous actors in it?",
              "Which stars play in this movie?", "and who's it with?", "Who is starring in the film, please?"]
YEAR_AFTER = ["and when did they release it", "what year was it", "In which year was it made?", "release date?", "and when was that", "And how old is the film, from what year?",
              "When was the movie in the cinemas?"]
GENRE_AFTER = ["and the genre of this movie?", "what kind of movie is it", "is it a comedy or what", "And what sort of film is this?", "genre please",
               "Which type of movie are we talking about?", "is that a horror film or something different?"]
ONE_FILM_OF = ["name a movie directed by {p}", "Can you tell me a film from the director {p}?", "Which movie did {p} direct? Just one, please.",
               "{p} directed what, for example?", "i need one movie that was directed by {p}", "what's a film {p} directed"]
ELSE = ["what else", "any more?", "Do you have some others?", "another one please", "And what more?", "What else has this director made?", "more",
        "Is there something else?", "which other movies did they direct", "go on", "Could you name me a different one too?"]
AND_ENTITY = ["and what about {g} then", "now {g}", "and for {g} as well?", "And then there is {g}?", "{g}?", "ok same thing but {g}", "How is it with {g}?", "and how about the film {g}",
              "Okay, then I would also like to know it about {g}.", "can you do {g} too"]
RELATION_ONLY = {
    "directed_by": ["directed by who", "the director too please", "by which director?", "and who's the director here", "And directed by?", "plus the name of the director"],
    "written_by": ["and who wrote it", "who was the writer", "the screenwriter?", "what about the script, who wrote that?", "And written by?", "writer too please"],
    "release_year": ["and what year", "which year", "From when is it?", "and they released it when?", "the release date?", "year too please"],
    "has_genre": ["and whats the genre of it", "what kind of film", "And what is the genre of this one?", "which genre too", "genre too please", "type of movie?"]}
COUNT_CAST = ["how many actors are in {f}", "how many people star in {f}?", "How big is the cast of {f}? I'd like a number.", "number of actors in {f}",
              "How many actors and actresses are listed for {f}?", "{f} has how many actors", "Could you count the actors in {f} for me?"]
COUNT_FILMS = ["how many movies has {p} been in", "How many films feature {p}?", "number of movies with {p} in them", "{p} has acted in how many different films?",
               "Could you count the movies in which {p} has played?", "How many films are there with {p} as an actor?", "how many times has {p} been in a movie"]
COUNT_DIRECTED = ["how many movies has {p} directed", "{p} has directed how many films?", "can you count the movies directed by {p}",
                  "As a director, how many movies has {p} got?", "How many of the films you know are directed by {p}?", "number of movies {p} directed",
                  "Please tell me how many films {p} made as a director."]
COUNT_WRITERS = ["how many writers does {f} have", "How many people wrote {f}?", "number of writers of {f}", "By how many people was {f} written?",
                 "Can you tell me how many screenwriters there are for {f}?", "how many names are on the script of {f}"]
WHICH_ONES = ["which", "can you list them", "list them", "and what are they called?", "Tell me the titles.", "Could you name all of them?", "show me",
              "which films are those?", "Go ahead, which?", "I want to know all the titles please"]
WHICH_ACTORS = ["and who are they all", "can you list them", "list them", "And what are their names?", "Tell me all the names.", "Could you name all of them?",
                "who", "which actors are those?", "names please"]
FILMS_OF = ["list all movies directed by {p}", "which movies did {p} direct", "What has {p} directed?", "I'd like all the films {p} has directed?",
            "all {p} movies as a director please", "I am looking for everything that {p} has directed.", "As a director, what did {p} do?",
            "what films are by the director {p}"]
FIRST_OF_LIST = ["and the oldest one?", "which one is oldest", "which one came first", "What was the first of these?", "Out of these, what came first?",
                 "and which one is the earliest movie?", "What's the oldest of the bunch?", "the first one was?"]
LAST_OF_LIST = ["and the newest one?", "which one is newest", "which one came last", "What was the last of these?", "Out of these, which is the latest?",
                "and which is the one made most recently?", "What's the newest of the bunch?", "the latest one was?"]
FIRST_OF_SET = ["what was {p}'s first movie", "first movie with {p}", "In which film did {p} appear first?", "what's {p}'s oldest film as an actor",
                "Which movie with {p} is the oldest?", "Do you know the first film that {p} was in?", "how did {p} start, in what movie?",
                "Which of the films {p} acted in was made first?"]
LAST_OF_SET = ["what's {p}'s latest movie", "newest movie with {p}", "Which movie with {p} is the newest one?", "what was the last film {p} acted in",
               "Do you know the most recent film that {p} was in?", "has {p} been in anything lately? what's the newest", "The last movie where {p} acted, please.",
               "Which of the films {p} acted in was made last?"]
AFTER = ["movies with {p} after {y}", "What did {p} play in after {y}?", "any films with {p} from after {y}", "Which films did {p} act in after the year {y}?",
         "List the movies of {p} that are newer than {y}, please.", "i want films with {p} but only ones made after {y}", "After {y}, what films was {p} in?"]
BEFORE = ["movies with {p} before {y}", "What did {p} play in before {y}?", "any films with {p} from before {y}", "Which films did {p} act in before the year {y}?",
          "I'd like to see what {p} acted in before {y}.", "i want films with {p} but only ones made before {y}", "Before {y}, what films was {p} in?"]
IN_YEAR = ["movies with {p} from {y}", "In {y}, what was {p} in?", "{y} movies with {p}", "which films did {p} act in in {y}", "What was there with {p} in {y}?",
           "Were there films with {p} in {y}? Which ones?", "the {y} films with {p}, how are they called?"]
WHAT_ABOUT_YEAR = ["and then in the year {y}", "and for {y} as well?", "in {y} then?", "And what about the year {y}?", "ok how about those from {y}", "And any from {y}?", "same but {y}", "now {y}"]
BOTH = ["movies with {p} and {q}", "Which movies did {p} and {q} act in together?", "What have {p} and {q} been in together?",
        "did {p} ever act with {q}? in what movies", "all movies that have {p} plus {q}", "films starring {p} and also {q}", "{p} and {q} are in which films together?",
        "In what films can I see {p} together with {q}?", "Have {p} and {q} been in films together, and what are they called?"]
DIRECTED_AND_WITH = ["movies directed by {q} with {p}", "What did {p} do with director {q}?", "In which movies did {q} direct {p}?",
                     "films with {p} where {q} was the director", "Has {p} been in anything directed by {q}? Which movies?", "which movies by director {q} star {p}",
                     "Tell me the films that {q} directed and {p} played in, please."]
BUT_NOT = ["movies with {p} but not {q}", "Which films of {p} don't have {q} in them?", "{p} movies without {q}", "I want films with {p}, but no {q} please.",
           "what is there with {p} that {q} isn't in", "List films with {p} except the ones with {q}.", "films where {p} acts and {q} doesn't"]
WHICH_FIRST = ["which was first, {f} or {g}", "what came first: {f} or {g}?", "is {f} the older film or is {g}", "Between {f} and {g}, which one is the older movie?",
               "Of {f} and {g}, which is the oldest?", "{f} vs {g} - which is older", "Did they make {f} first or {g}?", "Please tell me what was in cinemas first, {f} or {g}."]
WHICH_LATER = ["which is newer, {f} or {g}", "what's more recent, {f} or {g}?", "Between {f} and {g}, which one is the newer movie?", "which was made later, {f} or {g}",
               "is {f} the newer film or is it {g}?", "Of {f} and {g}, which came out last?", "{f} vs {g} - which is newer"]
THE_OTHER = ["the other one's director please", "who made the other movie, which director", "The other one, who is it directed by?",
             "and what about the other film, who directed that?", "and what about the director for the other?", "And by whom was the other movie directed?", "and who did the other one, what director"]
MORE_FILMS = ["who has been in more movies, {p} or {q}", "Has {p} been in more films or has {q}?", "Between {p} and {q}, who starred in more movies?",
              "Who appears in a greater number of films: {p} or {q}?", "{p} vs {q}, who's acted in more", "compare {p} and {q}: who has more acting credits?",
              "who played in more pictures, {p} or {q}"]
IS_OLDER = ["did they shoot {f} before {g}", "does {f} predate {g}", "{f} was before {g}, right?", "Is it true that {f} was filmed before {g}?",
            "was {f} already out when {g} was released", "Is the film {f} an older one than {g}?", "Was {f} in theaters sooner than {g}?"]
IS_NEWER = ["is {f} the newer film compared to {g}", "was {f} made after {g}", "Is {f} a more recent film than {g}?", "{f} was after {g}, right?",
            "Is it correct that {f} is from a later year than {g}?", "Did they make {g} first and {f} afterwards?"]
BEFORE_YEAR = ["is {f} a movie from before {y}", "does {f} date from before {y}", "So {f} was made before {y}, yes or no?", "Had {f} already been released when {y} began?",
               "{f} is pre {y}, right?", "Did {f} hit the cinemas earlier than {y}?", "is {f} that old, made before {y}?"]
AFTER_YEAR = ["is {f} from after {y}", "was {f} made after {y}", "Is {f} a film made later than {y}?", "did {f} only get released after {y}",
              "{f} is newer than {y}, isn't it?", "So the year of {f} is after {y}, yes or no?"]
TWO_HOPS = ["what else is by {f}'s director", "Who was {f} directed by, and what other films did that person direct?", "other movies by whoever directed {f}",
            "I loved {f}, what else has the same director done?", "name another film by the {f} director", "Are there more movies by the person who directed {f}? Which?",
            "movies with the same director as {f}"]
TWO_HOPS_COUNTRY = ["where does {f}'s director come from, which country", "what country is the {f} director from", "What's the nationality of the person who directed {f}?",
                    "Whoever directed {f}, which country are they from?", "The person who directed {f}, is that an American or what?",
                    "nationality of the guy that directed {f}?"]
TWO_HOPS_BORN = ["where was {f}'s director born", "The birthplace of the person who directed {f}, please?", "In which city was the one that directed {f} born?",
                 "whoever directed {f}, where were they born", "place of birth of the {f} director", "Do you know where the person that directed {f} was born?"]
TWO_QUESTIONS = {
    "year": ["tell me the director and the year of {f}", "{f}: director and year please", "What's the year of {f}, and also who's its director?",
             "I need two things about {f}: when it was released and by whom it was directed.", "Can I get both the release year and the director for {f}?",
             "who made {f} and in what year"],
    "genre": ["what's the genre of {f} and who's the director", "{f}: what kind of movie, directed by who?", "Who was {f} directed by? And what type of film is it?",
              "Could you tell me both the genre and the director's name for {f}?", "tell me what genre {f} is plus who directed", "I'd like to know about {f} the director and the genre."],
    "writer": ["who wrote {f}, who directed {f}", "Can you tell me the writer and the director for {f}?", "{f}, director and writer?", "Who directed {f}? Who wrote it?",
               "i need to know {f}'s writer and {f}'s director", "By whom was {f} written, and by whom directed?"]}
CORRECTION = ["oops i mean {g}", "wait, not that. {g}", "I was talking about {g}.", "You misunderstood me, my question was on {g}.", "ah wrong movie, i wanted {g}",
              "Pardon, my mistake: I wanted to say {g}.", "no no, {g}", "i didn't mean that movie, i mean {g}", "Actually make that {g}."]
REPEAT = ["what?", "Come again?", "Pardon?", "I didn't get that, could you repeat it?", "sorry i missed that", "say again please", "huh?", "Repeat please.",
          "What did you say?", "Would you kindly repeat your answer?", "tell me again"]
WHY = ["how come?", "are you sure?", "where did you get that from", "What is your source?", "says who?", "How can you be so sure?", "can you prove it",
       "What do you base that on?", "From where do you have this?", "really? how would you know", "Is that really true?"]
NOBODY = {"film": ["The Lanternkeeper's Debt", "Return to Vashmoor", "Moonfrost Regiment", "Sugar for the Undertaker", "Seven Herons of Kerrow",
                   "The Quillmaker's Niece", "She Left Her Umbrella in Wexcombe", "Blimmerstock"],
          "person": ["Odwin Fettlesby", "Tessaly Grindlewick", "Brannock Ilsteed", "Yolanda Prexington", "Haldrick Sumpter-Voss", "Obadine Thackenby"]}
ASK_NO_FILM = ["which person directed that movie {n}", "what year did they make {n}", "Which actors are in {n}?", "Could you tell me the genre of {n}?", "who wrote {n}",
               "Do you know the movie {n}? Who made it?", "{n} release date", "i heard about {n}, who is in it?"]
ASK_NO_PERSON = ["what movies did {n} do", "Where was {n} born?", "Which films has {n} directed?", "how many movies has {n} been in", "who is {n} married to",
                 "What's {n}'s nationality?", "Name a film with {n}, please.", "newest movie with {n}"]
NO_RELATION = ["how much does {p} weigh", "When is {p}'s birthday?", "whats {p}'s net worth", "How many followers has {p} on Instagram?", "What's {p}'s favourite color?",
               "does {p} have a dog? what breed", "What car does {p} drive?", "what does {p} eat for breakfast", "How much was {p} paid for the last movie?",
               "How much money did {f} make at the box office?", "how many minutes long is {f}", "What was the budget for {f}?", "Where can I stream {f}?",
               "how much is a dvd of {f}", "What do the critics on Rotten Tomatoes say about {f}, how many percent?", "on which day of the week did they start shooting {f}"]
VERIFY = ["so was it {p} who directed {f}", "{p} directed {f}, right?", "did {p} do the directing on {f}", "{f} is directed by {p}, isn't it?",
          "Someone told me that {p} directed {f}. True?", "I think {p} directed {f}, is that correct?", "is {p} the director for {f} yes or no"]
VERIFY_CAST = ["is {p} in {f}", "Was {p} one of the actors in {f}?", "did {p} have a part in {f}", "Can I see {p} in {f}?", "{p} is in {f}, right?",
               "{f} stars {p}, doesn't it?", "did they cast {p} in {f}", "My brother says that {p} plays in {f}, is he right?"]
ABOUT = ["tell me a bit about {f}", "what can you tell me on {f}", "Any info about the movie {f}?", "i know nothing about {f}, fill me in",
         "Have you heard of {f}? Tell me more.", "What should I know about {f}?", "info {f}", "Could you describe {f} for me, please?", "what's {f}"]
ABOUT_PERSON = ["who is {p}", "tell me a bit about {p}", "What's {p} known for?", "I'd like to know more about {p}.", "Have you heard of {p}? Who is that?",
                "info on {p} please", "{p}, who is that again?", "Can you give me a few facts about {p}?"]
