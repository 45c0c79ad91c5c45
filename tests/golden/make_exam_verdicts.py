"""Writes tests/golden/exam_verdicts.json: constructed answers to turns of an exam of conversations with the verdicts of the
script that the format comes from, whose judge stands here unchanged. Use: python3 tests/golden/make_exam_verdicts.py"""
import json
import os
import random
import re

W = {1: 'one', 2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six', 7: 'seven', 8: 'eight', 9: 'nine', 10: 'ten', 11: 'eleven', 12: 'twelve'}


def judge(x, r, names):
    l = ' ' + re.sub(r'\s+', ' ', r.lower()) + ' '; flat = lambda y: re.sub(r'[^a-z0-9]', '', y.lower()); has = lambda n: n.lower() in l or (len(flat(n)) > 4 and flat(n) in flat(r))
    said = x['say'].lower(); bad = [n for n in x.get('no', []) if has(n) and n.lower() not in said and not any(n.lower() in y.lower() for y in x.get('all', []) + x.get('any', []))]
    if x.get('nofact'): return not x.get('walked') and not re.search(r'did you know|my graph says|as far as i know|here is what i found|i know this one|by the way|i can tell you that|do you mean', l)
    if x.get('refuse'): return bool(re.search(r"does(n't| not) (say|know)|no such|not know|know nothing|unknown|cannot find|can't find|no .{2,40} here|not in (my|the) graph", l))
    if 'number' in x: return bool(re.search(r'\b(%d|%s)\b' % (x['number'], W.get(x['number'], '-')), l))
    if 'yesno' in x:
        y = bool(re.search(r"\b(yes|right|indeed|correct|true)\b", l)); n = bool(re.search(r"\bno\b|\bnot\b|n't\b|cannot|wrong|false", l)); return (y and not n) if x['yesno'] == 'yes' else n
    if 'lead' in x:
        others = [n for n in re.split(r', | or |\?', x['say'])]; i = l.find(x['lead'].lower())
        return i >= 0 and all(l.find(o.strip().lower()) < 0 or l.find(o.strip().lower()) >= i for o in others if o.strip() and o.strip().lower() in l and o.strip() != x['lead'])
    if 'all' in x: return sum(map(has, x['all'])) >= 0.8 * len(x['all']) and not bad
    return any(map(has, x['any'])) and not bad


TURNS = [
    {'say': 'What is the capital of Germany?', 'any': ['Berlin']},
    {'say': 'Who wrote Second Tide, Otterbach or Fernwald?', 'any': ['Wilma Otterbach', 'W. Otterbach'], 'no': ['Nils Fernwald', 'Otterbach']},
    {'say': 'Name all films.', 'all': ['Low Water', 'High Water', 'Çelik Yüzük', 'Straße', 'IMAX'], 'no': ['Harbor Lights', 'Water']},
    {'say': 'Name both.', 'all': ['C++', 'C#']},
    {'say': 'How many?', 'number': 3}, {'say': 'How many?', 'number': 12}, {'say': 'How many?', 'number': 40}, {'say': 'How many?', 'number': 0},
    {'say': 'Is it?', 'yesno': 'yes'}, {'say': 'Is it?', 'yesno': 'no'},
    {'say': 'Which is longer, the Danube or the Rhine?', 'lead': 'Danube'}, {'say': 'Oslo, Rome or Bern?', 'lead': 'Rome'},
    {'say': 'Hello', 'nofact': True}, {'say': 'Hello', 'nofact': True, 'walked': True},
    {'say': 'Who painted it?', 'refuse': True},
    {'say': 'İstanbul?', 'any': ['İstanbul', 'ΟΔΟΣ']},
]
PARTS = ['Berlin', 'berlin.', 'BERLIN', 'Ber lin', 'Wilma Otterbach', 'wilma-otterbach', 'W. Otterbach', 'Nils Fernwald', 'Low Water', 'High  Water', 'çelik yüzük',
         'STRASSE', 'straße', 'imax', 'IMAX', 'Harbor Lights', 'C++', 'C#', 'c', '3', 'three', 'threesome', '13', '3.', '3é', 'twelve', '12', '40', '40 films', 'well-known', '0', 'zero', 'Yes', 'yes,',
         'Indeed', 'right', 'copyright', 'true', 'No', 'no.', 'not', "isn't", "don't", 'cannot', 'wrong', 'noël', 'know', 'noë', 'nö no', 'the Danube', 'Danube', 'Rhine', 'the Rhine', 'Rome', 'Oslo', 'Bern', 'Did you know that', 'My graph says',
         'as far as I know', 'By the way', 'do you mean', 'The graph does not say', "It doesn't know", 'no such thing', 'I do not know', 'unknown', "I can't find it", 'no word of that here', 'no x here', 'no é here',
         'no ' + 'é' * 40 + ' here', 'no ' + 'é' * 41 + ' here', 'not in my graph', 'not in our graph', 'it\u00a0does\u2003not\u2028say', 'does\nnot\tsay', 'İstanbul', 'istanbul', 'i̇stanbul', '中文', '東京 no', 'no東京', 'a\u0301no', '']
random.seed(7)
replies = list(PARTS)
replies += [random.choice([' ', ', ', '. ', ' and ', '\n']).join(random.sample(PARTS, random.randint(2, 5))) for _ in range(160)]
replies += ['Low Water, High Water, Çelik Yüzük, Straße and IMAX.', 'Low Water, High Water, Çelik Yüzük and IMAX.', 'Low Water, High Water, IMAX.', 'Low Water, High Water, Çelik Yüzük, IMAX, Harbor Lights']
turns = [{k: v for k, v in x.items() if k != 'walked'} for x in TURNS]
right = [''.join('1' if judge(x, r, None) else '0' for r in replies) for x in TURNS]
out = os.path.join(os.path.dirname(__file__), 'exam_verdicts.json')
with open(out, 'w', encoding='utf-8') as f:
    json.dump({'turns': turns, 'walked': [bool(x.get('walked')) for x in TURNS], 'said': replies, 'right': right}, f, ensure_ascii=False, indent=1)
    f.write('\n')
print(len(turns) * len(replies), sum(line.count('1') for line in right))
