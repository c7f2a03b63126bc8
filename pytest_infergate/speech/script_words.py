"""The English words by which a script is read: who speaks, how, and what is no speech."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Somebody who speaks, as the last word in front of a colon, whatever its case.
PEOPLE = _words(
    """
    man woman boy girl child kid person guy lady gentleman voice narrator host speaker character robot
    teacher announcer voiceover reporter interviewer interviewee mother father mom dad son daughter doctor
    nurse officer soldier king queen monster alien wizard witch clerk driver waiter customer student crowd
    anchor presenter moderator guest caller operator agent assistant user actor actress singer dialogue
    dialog narration script speech transcript lyrics
    """
)
#: What stands in names in lower case.
PARTICLES = _words(
    """
    of the and de la le du van von der den da di el bin al y e
    """
)
#: What a full stop follows in names.
SHORTENED = _words(
    """
    dr mr mrs ms st prof sgt capt lt gen col rev hon jr sr cpl maj sen gov
    """
)
#: The first word in front of a colon that is nobody: production notes, instructions, headings.
NOBODY = _words(
    """
    scene setting settings shot camera style lighting light mood tone action actions sound sounds sfx fx vfx
    music audio ambience ambient ambiance background foreground location place time date duration length
    title titles subtitle subtitles caption captions chapter act part step note notes format aspect ratio
    resolution prompt negative subject context genre cast characters visual visuals image picture video clip
    description summary synopsis logline instructions instruction task example examples output input
    requirement requirements rule rules warning important remember transition cut fade dissolve int ext
    props prop costume costumes wardrobe color colour colors palette quality model seed fps theme topic
    keywords url http https source author written directed credits episode page panel frame frames angle
    movement motion composition emotion emotions expression options option language accent gender age affect
    pacing pace pronunciation delivery personality identity pauses pause phrasing punctuation features
    texture environment weather atmosphere lens focus beat overlay text logo sign graphic graphics effects
    effect details detail reason goal objective constraints hint answer question ps nb tip todo version
    draft contact copyright end begin start close closeup wide medium pan zoom
    """
)
#: The word before a quotation that is a name or written somewhere.
NAMING = _words(
    """
    titled entitled labeled labelled captioned inscribed called named nicknamed dubbed marked lettered
    printed so-called spelling
    """
)
#: The word before a quotation that is written on a thing, where one is named.
SHOWING = _words(
    """
    reads reading read says saying said text words word logo title caption sign with overlay screen display
    displays displaying shows showing subtitle headline banner poster
    """
)
#: After these the words may follow at once, without a comma or colon.
TOLD = _words(
    """
    say says said saying
    """
)
#: What follows one of these and a colon is spoken to its end.
ORDERS = _words(
    """
    say speak read recite narrate announce
    """
)
#: How or to whom something is said: the first word between a verb and its comma or colon.
HOW = _words(
    """
    to into in with at from as while over through on for out aloud again back only just under before after
    then
    """
)
#: The first word of what is reported and not spoken, where no comma or colon stands before it.
INDIRECT = _words(
    """
    that what how why whether if when where who which nothing something anything everything so it this these
    those in with to at on from into as by for of about the a an his her their its he she they again and or
    no more less much
    """
)
#: Every verb of speech that is looked for.
VERBS = _words(
    """
    say says said saying speak read recite narrate announce whispers whispered whispering shouts shouted
    shouting yells yelled yelling murmurs murmured murmuring mutters muttered muttering mumbles mumbled
    mumbling exclaims exclaimed exclaiming announces announced announcing answers answered answering asks
    asked asking calls called calling screams screamed screaming narrates narrated narrating sings singing
    sang adds added adding continues continued continuing declares declared declaring explains explained
    explaining proclaims proclaimed proclaiming states stated stating begins began beginning interrupts
    interrupted interrupting responds responded responding recites recited reciting reads reading speaks
    speaking spoke replies replied replying cries cried crying
    """
)
