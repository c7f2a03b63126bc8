"""British spellings and their American ones: words that are written in two ways and spoken in one.

Words that are also spoken otherwise (aluminium, maths, learnt) are not among them.
"""

from __future__ import annotations

from collections.abc import Iterator

_OUR = (
    "arbour ardour armour behaviour belabour candour clamour colour demeanour discolour disfavour "
    "dishonour enamour endeavour favour fervour flavour harbour honour humour labour misbehaviour "
    "neighbour odour parlour rancour rigour rumour saviour savour splendour succour tumour valour vapour "
    "vigour watercolour"
)
_OUR_ENDS = (
    "s ed edly ing ings er ers able ably al ally ful fully less ist ists ite ites ism hood hoods ly y ies"
)
_ISE = (
    "agon alphabet amort antagon apolog author bapt brutal burglar canon capital categor character civil "
    "collectiv colon commercial computer contextual criminal critic crystall custom decentral democrat "
    "demoral digit disorgan dramat econom emphas energ equal eulog familiar fantas fertil final formal "
    "fossil fratern galvan general global glamor harmon homogen hospital humid hypnot ideal idol immobil "
    "immun individual industrial initial institutional intern international ion item jeopard legal legitim"
    " liberal local lion magnet marginal material maxim mechan memor mesmer metabol minim mobil modern "
    "monopol moral motor national natural neutral normal optim organ ostrac oxid parallel pasteur patron "
    "penal personal plagiar polar politic popular priorit privat public random rational real recogn "
    "reorgan revital revolution romantic sanit satir scrutin sensational sensit serial sexual social "
    "special stabil standard steril stigmat structural subsid summar symbol sympath synchron synthes "
    "systemat tantal temporal terror theor traumat trivial tyrann union unrecogn urban util vandal vapor "
    "verbal victim virtual visual vital vocal weapon western winter"
)
_ISE_ENDS = "ise ises ised iser isers ising isable isation isations isational"
_YSE = "analy cataly dialy electroly hydroly paraly psychoanaly"
_RE = (
    "amphitheatre calibre centimetre epicentre fibre goitre kilometre litre lustre meagre metre millilitre "
    "millimetre mitre nanometre sabre saltpetre sceptre sombre spectre theatre titre"
)
_LL = (
    "bevel cancel carol channel chisel counsel dial dishevel drivel duel enamel equal fuel funnel gravel "
    "grovel initial jewel label level libel marshal marvel model panel pedal pencil pummel quarrel ravel "
    "refuel revel rival shovel shrivel signal snivel spiral stencil swivel total towel travel tunnel "
    "unravel weasel yodel"
)
_LL_ENDS = "ed ing ings er ers"
_AE = (
    "anaemia anaemic anaesthesia anaesthesiologist anaesthesiologists anaesthetic anaesthetics "
    "anaesthetist anaesthetists caesarean encyclopaedia encyclopaedias encyclopaedic faecal faeces "
    "gynaecological gynaecologist gynaecologists gynaecology haematologist haematology haemoglobin "
    "haemophilia haemorrhage haemorrhages haemorrhaging haemorrhoids hypoglycaemia leukaemia mediaeval "
    "orthopaedic orthopaedics paediatric paediatrician paediatricians paediatrics paedophile paedophiles "
    "palaeontologist palaeontology septicaemia"
)
_OE = (
    "coeliac diarrhoea foetal foetus foetuses homoeopathic homoeopathy manoeuvrable oedema oesophagus "
    "oestrogen"
)
_SINGLE = """
    acknowledgement acknowledgment, acknowledgements acknowledgments, ageing aging, alright all right,
    analogue analog, analogues analogs, appal appall, appals appalls, artefact artifact, artefacts artifacts,
    carburettor carburetor, catalogue catalog, catalogued cataloged, catalogues catalogs,
    cataloguing cataloging, centre center, centred centered, centres centers, centring centering,
    cheque check, cheques checks, chilli chili, cosier cozier, cosy cozy, councillor councilor,
    councillors councilors, counsellor counselor, counsellors counselors, defence defense, defences defenses,
    defenceless defenseless, distil distill, distils distills, doughnut donut, doughnuts donuts,
    draught draft, draughts drafts, draughty drafty, enrol enroll, enrolment enrollment,
    enrolments enrollments, enrols enrolls, enthral enthrall, enthrals enthralls, focussed focused,
    focussing focusing, fulfil fulfill, fulfilment fulfillment, fulfils fulfills, gaol jail, grey gray,
    greyer grayer, greyish grayish, greys grays, instalment installment, instalments installments,
    instil instill, instils instills, jewellery jewelry, judgement judgment, judgements judgments,
    kerb curb, kerbs curbs, kilogramme kilogram, kilogrammes kilograms, licence license,
    licences licenses, likeable likable, liquorice licorice, manoeuvre maneuver, manoeuvred maneuvered,
    manoeuvres maneuvers, manoeuvring maneuvering, marvellous marvelous, marvellously marvelously,
    mollusc mollusk, molluscs mollusks, mould mold, moulded molded, moulding molding, moulds molds,
    mouldy moldy, moustache mustache, moustaches mustaches, offence offense, offences offenses, ok okay,
    omelette omelet, omelettes omelets, plough plow, ploughed plowed, ploughing plowing, ploughs plows,
    practise practice, practised practiced, practises practices, practising practicing,
    pretence pretense, pretences pretenses, programme program, programmes programs, pyjamas pajamas,
    sceptic skeptic, sceptical skeptical, scepticism skepticism, sceptics skeptics, sizeable sizable,
    skilful skillful, skilfully skillfully, smoulder smolder, smouldered smoldered,
    smouldering smoldering, smoulders smolders, storey story, storeys stories, sulphate sulfate,
    sulphur sulfur, sulphuric sulfuric, tranquilliser tranquilizer, tranquillisers tranquilizers,
    tranquillity tranquility, tyre tire, tyres tires, wilful willful, wilfully willfully,
    woollen woolen, worshipped worshiped, worshipper worshiper, worshippers worshipers,
    worshipping worshiping, yoghurt yogurt, yoghurts yogurts
"""


def american_spellings() -> dict[str, tuple[str, ...]]:
    """Return British word → American words."""
    return {british: tuple(american.split()) for british, american in _pairs()}


def _pairs() -> Iterator[tuple[str, str]]:
    for stem in _OUR.split():
        for end in ("", *_OUR_ENDS.split()):
            yield stem + end, f"{stem[:-3]}or{end}"
    for stem in _ISE.split():
        for end in _ISE_ENDS.split():
            yield stem + end, stem + end.replace("is", "iz", 1)
    for stem in _YSE.split():
        for end in ("e", "ed", "er", "ers", "es", "ing"):
            yield f"{stem}s{end}", f"{stem}z{end}"
    for word in _RE.split():
        for end in ("", "s"):
            yield word + end, f"{word[:-2]}er{end}"
    for stem in _LL.split():
        for end in _LL_ENDS.split():
            yield f"{stem}l{end}", stem + end
    for word in _AE.split():
        yield word, word.replace("ae", "e")
    for word in _OE.split():
        yield word, word.replace("oe", "e")
    for line in _SINGLE.split(","):
        british, _, american = line.strip().partition(" ")
        yield british, american
