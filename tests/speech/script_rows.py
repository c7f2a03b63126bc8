"""Scripts and the words to be spoken in them, ``None`` where there are none; each table has its reason."""

from __future__ import annotations

Row = tuple[str, "str | None"]

#: Every style of quotation marks is read, and only the outermost of nested ones.
QUOTED: list[Row] = [
    ('He says "Hello world".', "Hello world"),
    ("“Hello,” she said. “Bye.”", "Hello,\nBye."),
    ("« Bonjour » dit-il.", "Bonjour"),
    ("«\u00a0Bonjour\u00a0!\u00a0» dit-il.", "Bonjour !"),
    ("‹Salut› dit-elle.", "Salut"),
    ("„Hallo“, sagte er. „Tschüss!“", "Hallo\nTschüss!"),
    ("„Cześć”, powiedziała.", "Cześć"),
    ("»Hallo«, sagte er.", "Hallo"),
    ("»Hej», sa han. ”Hej då”, sa hon.", "Hej\nHej då"),
    ("‚Hallo‘, sagte er.", "Hallo"),
    ("彼は「こんにちは」と言った。", "こんにちは"),
    ("『入れ子「中」です』", "入れ子「中」です"),
    ("他说：“你听‘好’了。”", "你听‘好’了。"),
    ("他说＂你好＂就走了", "你好"),
    ("She whispered ``Good night'' to him.", "Good night"),
    ("‘Hello,’ he said, ‘don’t go.’", "Hello,\ndon’t go."),
    ("'Hello,' he said, 'don't go.'", "Hello,\ndon't go."),
    ("The man says: 'I will be back.'", "I will be back."),
    ("\"He said 'stop' and left.\"", "He said 'stop' and left."),
    ("“He said ‘don’t’ and left.”", "He said ‘don’t’ and left."),
    ("“She said, ‘He told me “no” twice.’”", "She said, ‘He told me “no” twice.’"),
    ('"He said "hi" to me," she told us.', 'He said "hi" to me,'),
    ('"Yes," "No," and "Maybe."', "Yes,\nNo,\nMaybe."),
    ('"Wait—" he says. "No."', "Wait—\nNo."),
    ('said"Hi"and left', "Hi"),
    ('He said " Hello there " aloud.', "Hello there"),
    ('- "A"\n- "B"', "A\nB"),
]

#: Over lines, and over paragraphs that open again; an unclosed mark does not run away with the rest.
OVER_LINES: list[Row] = [
    ("“One\ntwo\nthree”", "One two three"),
    ('"First paragraph.\n\n"Second paragraph," he said.', "First paragraph.\nSecond paragraph,"),
    ("“One.\n\n“Two.\n\n“Three.” He stops.", "One.\nTwo.\nThree."),
    ("‘One.\n\n‘Two,’ he said.", "One.\nTwo,"),
    ("“One.\n\nTwo.”", "One. Two."),
    ("He cried “Help!\n\nThen nothing. “Yes,” she said.", "Yes,"),
    ('A pipe of 5" here.\n\n"Hello," he said.', "Hello,"),
    ('"unclosed', None),
    ('"', None),
    ("“”", None),
    ('"..."', None),
]

#: Apostrophes, inches and elisions are no quotation marks.
NO_MARKS: list[Row] = [
    ("It's the dogs' bowl and it's 5'11\" tall.", None),
    ("The '90s were great, 'tis true.", None),
    ("Rock 'n' roll says \"yes\".", "yes"),
    ('"I\'m 6\'2"," he said.', "I'm 6'2"),
    ("'I saw the dogs' bowls,' he said.", "I saw the dogs' bowls,"),
    ("She said 'yes' and 'no'.", "yes\nno"),
    ("“I’m the ‘king’ of the world!” he said.", "I’m the ‘king’ of the world!"),
    ("He said, \"It's 5 o'clock,\" and left.", "It's 5 o'clock,"),
    ("L’homme dit « c’est ça ».", "c’est ça"),
]

#: What is a name, or written on something, is not spoken.
WRITTEN: list[Row] = [
    ('A sign reads "OPEN". A woman says "We are open."', "We are open."),
    ('A film titled "Home". A boy says "Hi".', "Hi"),
    ('A banner with the words "Happy Day".', None),
    ('A neon sign: "BAR"', None),
    ('A man says "hi". Text on screen: "The End".', "hi"),
    ('She shouts the words "come home".', "come home"),
    ('A man with a card on his shirt smiles and says "hi".', "hi"),
    ('He holds up a board and says, "Look!"', "Look!"),
]

#: A name and a colon in front: a person speaks to the end of the paragraph.
SPEAKERS: list[Row] = [
    ("ANNA: Hello.\nBEN: Hi there,\nhow are you?\n\nShe leaves.", "Hello.\nHi there, how are you?"),
    ("**Anna (whispering):** Come here.\n**Ben:** No!", "Come here.\nNo!"),
    ("**Anna**: Come here.", "Come here."),
    ("NARRATOR (V.O.): In a world of fire.", "In a world of fire."),
    ("Speaker 1: Go.\nSpeaker 2: Stop.", "Go.\nStop."),
    ("Person A: Hello\nPerson B: Hi", "Hello\nHi"),
    ("Dr. Smith: Sit.\nMR. O'NEIL: Yes?\nJean-Luc: Go.", "Sit.\nYes?\nGo."),
    ("Old man: Come in.\nYoung woman: Thanks.", "Come in.\nThanks."),
    ("narrator: hi there", "hi there"),
    ("The narrator says: Welcome. Today we talk about cats.", "Welcome. Today we talk about cats."),
    ("Alice: Hi! Bob: Hello! How are you?", "Hi!\nHello! How are you?"),
    ("- Anna: Hi\n- Ben: Ho", "Hi\nHo"),
    ("1. Anna: Hi\n2. Ben: Ho", "Hi\nHo"),
    ("> Anna: Hi", "Hi"),
    ("[00:01] ANNA: hi\n00:05 BEN: ho", "hi\nho"),
    ("(whispering) ANNA: Hi.", "Hi."),
    ("小明：你好。\n小红：“你好！”", "你好。\n你好！"),
    ("राम: नमस्ते दुनिया", "नमस्ते दुनिया"),
    ("Имя: привет\nАнна: Да.", "привет\nДа."),
    ("أحمد: مرحبا بالعالم", "مرحبا بالعالم"),
    ("JOHN:\n(beat)\nHello.", "Hello."),
    ("Voiceover:\n\nWelcome home.\n\nA door opens.", "Welcome home."),
    ('ANNA: He said "run" and I ran.', 'He said "run" and I ran.'),
    ('Joe: "Hello," he says. "Bye."', "Hello,\nBye."),
    ('Alice: "One."\n"Two."', "One.\nTwo."),
    ("Anna: Stop: now!", "Stop: now!"),
    ("Narrator: In 1969: the moon.", "In 1969: the moon."),
    ("Read this:\nJoe: How's it going?\nJane: Not too bad.", "How's it going?\nNot too bad."),
    ("http://example.org: a page", None),
    ("I, Robot: the film", None),
    ("Three things happened: rain, wind, snow.", None),
    ("At 12:30 the train leaves.", None),
]

#: Production notes are nobody's words, but a quotation in them is spoken.
NOTES: list[Row] = [
    ('Camera: slow dolly in.\nScene: A man says "hello".\nMusic: soft', "hello"),
    ("Style: cinematic, 4k\nDuration: 5 s\nAspect ratio: 16:9", None),
    ('Title: "My Film"\n"Hello," she says.', "Hello,"),
    ("SCENE 1: A room.\nJOHN: Hi.", "Hi."),
    ('Shot 1 (0-3s): She says "Hi".\nShot 2 (3-6s): He says "Bye".', "Hi\nBye"),
    ('# "Heading"\n\n"Hello," she says.', "Hello,"),
]

#: Screenplays: a name in capitals over the words; headings and transitions are left out.
SCREENPLAYS: list[Row] = [
    (
        "INT. BAR - NIGHT\n\nThe bar is empty.\n\nJOHN\n(whispering)\nHello there.\n\nThe door opens.\n\n"
        "MARY (V.O.)\nI am\nhere.\n\nCUT TO:\n\nEXT. STREET - DAY\n\nRain.\n\nFADE OUT.",
        "Hello there.\nI am here.",
    ),
    ("ANNA (V.O.)\n(softly)\nI am here.", "I am here."),
    ("**JOHN**\nHello there.\n\n**MARY**\nHi.", "Hello there.\nHi."),
    ("INT. CAR\n\nHe drives.\n\nANNA (CONT'D)\nFaster.", "Faster."),
    ("INT. CAR\n\nA sign.\n\nHe said 'hello there' quietly.", "hello there"),
    ("ACT I\n\nSCENE 2\n\nJOHN: Hi.", "Hi."),
    ("A TITLE\nWith a text below.", None),
]

#: Announced without quotation marks: to the end of the sentence; reported speech is not spoken.
TOLD: list[Row] = [
    ("The narrator says hello world.", "hello world."),
    ("Say hello world.", "hello world."),
    ("The robot should say hello world.", "hello world."),
    ("A man says, welcome to the show. He waves.", "welcome to the show."),
    ("A door opens. He waves and says: I am fine. Then he goes.", "I am fine."),
    ("The woman says softly to her son, sleep well.", "sleep well."),
    ("He whispered, good night.", "good night."),
    ("He whispered good night.", None),
    ("She says, good evening Dr. Jones. Then she goes.", "good evening Dr. Jones."),
    ("Say cheerfully: Have a wonderful day!", "Have a wonderful day!"),
    ("Say the following:\n\nHello there. How are you?\n\nThen stop.", "Hello there. How are you?"),
    ("Read the following text aloud: One. Two.\nThree.", "One. Two. Three."),
    ("He says that he is tired.", None),
    ("He said, that he was tired.", None),
    ("He says nothing.", None),
    ("It is said that he lived.", None),
    ("That said, the room is big.", None),
    ('"Stop!" says Mary.', "Stop!"),
    ('He says "no" and she says yes.', "no"),
    ("A cinematic shot of a mountain.", None),
]

#: Stage directions and markup are not spoken, and nothing in them is.
DIRECTIONS: list[Row] = [
    ("ANNA: (sighs) Fine. [beat] Let's go. *laughs*", "Fine. Let's go."),
    ('*She walks in.* "Hello."', "Hello."),
    ('[He says "not this"] "But this."', "But this."),
    ('"Hello (softly) world"', "Hello world"),
    ("ANNA: **Never** again.", "Never again."),
    ("ANNA: A (very (very) long) day.", "A day."),
    ("ANNA: One ) two ( three", "One ) two ( three"),
    ("ANNA：（小声）你好【停顿】。", "你好 。"),
    ('ANNA: Hi <break time="500ms"/> there.', "Hi there."),
    ("[music] (applause)", None),
    ("ANNA: (nods)", None),
    ("", None),
    (" \n\t\n", None),
]

SRT = "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,500\n{}\n"
#: Subtitle files: the text of the cues alone.
SUBTITLES: list[Row] = [
    (SRT.format("Hello\nworld", "Bye"), "Hello\nworld\nBye"),
    ("\ufeff" + SRT.format("Hello", "Bye").replace("\n", "\r\n"), "Hello\nBye"),
    (SRT.format("<i>Hello</i> {\\an8}there", '<font color="#fff">you</font>'), "Hello there\nyou"),
    (SRT.format("- JOHN: Go.\n- MARY (V.O.): No!", ">> SPEAKER 2: Why?"), "Go.\nNo!\nWhy?"),
    (SRT.format("[door slams]", "♪ La la la ♪ (laughs)"), "La la la"),
    (SRT.format("Look: a bird", 'He said "stop" twice.'), 'Look: a bird\nHe said "stop" twice.'),
    (SRT.format("10", "20"), "10\n20"),
    (SRT.format("Fish &amp; chips", "2 < 3, I <3 you"), "Fish & chips\n2 < 3, I <3 you"),
    (SRT.format("One\n\nmore", "Two"), "One\nmore\nTwo"),
    (SRT.replace("\n\n", "\n").format("A", "B"), "A\nB"),
    ("00:01.000 --> 00:02.000 X1:0 X2:9\nNo number", "No number"),
    (SRT.format("[wind]", "(rain)"), None),
    (
        "WEBVTT - a title\nKind: captions\n\nNOTE a note\nof two lines\n\nSTYLE\n::cue {}\n\nREGION\nid:a\n\n"
        "intro\n"
        "00:01.000 --> 00:02.000 align:start position:0%\n<v Fred>Hi and <c.yellow>bye</c></v>\n\n"
        "00:00:02.000 --> 00:00:03.000\n<v.loud Ann>Done\n",
        "Hi and bye\nDone",
    ),
    (
        "WEBVTT\n\n00:00.000 --> 00:02.000\nhello<00:00:00.500><c> world</c>\n\n"
        "00:02.000 --> 00:04.000\nhello world\nand<00:00:02.500><c> more</c>\n",
        "hello world\nand more",
    ),
    ("WEBVTT\n\n00:00.000 --> 00:02.000\nNo.\n\n00:02.000 --> 00:04.000\nNo.\n", "No.\nNo."),
    ("WEBVTT\n\n00:00.000 --> 00:02.000\n<ruby>漢<rt>kan</rt></ruby>字\n", "漢字"),
    ("WEBVTT\n\nNOTE nothing is said\n", None),
    ("WEBVTT", None),
]

ROWS = [
    *QUOTED,
    *OVER_LINES,
    *NO_MARKS,
    *WRITTEN,
    *SPEAKERS,
    *NOTES,
    *SCREENPLAYS,
    *TOLD,
    *DIRECTIONS,
    *SUBTITLES,
]
