import type { SeedEdition } from './types.ts'

const credit = '<p>Drawing: Tidings</p>'

/** Second set for the current date: three editions from the record, each memo stating its own date. */
export const todaySetB: readonly SeedEdition[] = [
  {
    slot: '10AM',
    memos: [
      {
        title: 'Queues of a mile, and a president after twenty-seven years in prison',
        content: `<p>In the last days of April 1994 nearly twenty million South Africans voted in the first election open to all of them. Some waited from before dawn until after dark. On 10 May Nelson Mandela took the oath in Pretoria, before more heads of state than the country had ever seen, with two deputies: Thabo Mbeki of his own party and F. W. de Klerk, who had let him out.</p>
<blockquote><p>Never, never and never again shall it be that this beautiful land will again experience the oppression of one by another.</p></blockquote>
<p>Jets of the air force flew over and dipped their wings. Mr Mandela wrote later that a few years before they would have been aimed at him. A new constitution, written in the next two years, opened with the same thought; eleven languages were made official. He served one term, as he had promised, and went home.</p>`,
        source: 'https://en.wikipedia.org/wiki/1994_South_African_general_election',
        picture: {
          drawing: 'ballot-box.svg',
          title: 'Nineteen parties stood on one long paper',
          text: credit,
        },
      },
      {
        title: 'A ripple shorter than the width of a proton',
        content: `<p>On 14 September 2015 two detectors in Louisiana and Washington State, three thousand kilometres apart, felt the same tremor within seven thousandths of a second. Their arms, four kilometres long, had changed by less than a thousandth of the width of a proton.</p>
<p>It was the trace of two black holes of about thirty suns each, which had circled one another ever faster and merged, 1.3 billion years before. For an instant at the end they gave off more power than all the stars in the visible universe. Albert Einstein had <a href="https://en.wikipedia.org/wiki/Gravitational_wave">predicted such waves</a> in 1916 and doubted that they would be found. The finding was checked for five months and made public on 11 February 2016.</p>`,
        source: 'https://www.ligo.caltech.edu/page/press-release-gw150914',
      },
      {
        title: 'A metal ball that could be heard by anyone with a radio',
        content: `<p>On 4 October 1957 the Soviet Union put the first artificial satellite into orbit. Sputnik 1 was a polished sphere fifty-eight centimetres across with four aerials, and weighed 83.6 kilograms. Amateurs all over the world listened to its beep for three weeks, until the batteries ran down. What people saw in the sky at dusk was mostly the larger stage of the rocket, following behind.</p>
<p>It fell back and burned on 4 January 1958, after some 1,440 turns. By then a second craft had carried a dog, Laika, into orbit, and the word, which means a companion on the road, was in every language.</p>`,
        source: 'https://en.wikipedia.org/wiki/Sputnik_1',
      },
      {
        title: 'Six countries signed in Rome, partly on blank pages',
        content: `<p>Belgium, France, West Germany, Italy, Luxembourg and the Netherlands signed on 25 March 1957 the treaty that founded the European Economic Community. The printing had met with so many mishaps that between the title and the page for the signatures much of what lay on the table was blank paper. The church bells rang, and it rained.</p>
<p>The treaty foresaw a common market within twelve years: no customs between the six, one tariff towards others, a shared policy for farming, and free movement for workers. The opening words, “an ever closer union among the peoples of Europe”, have been argued about ever since.</p>`,
        source: 'https://en.wikipedia.org/wiki/Treaty_of_Rome',
      },
      {
        title: 'A king put his seal to a list of grievances',
        content: `<p>On 15 June 1215, in a meadow by the Thames called Runnymede, King John agreed to the demands of his barons. The Great Charter deals for the most part with the worries of its day: fish weirs, the debts of widows, the measure of corn and ale. Two of its clauses reached farther. One promised that no free man would be imprisoned but by the judgement of his equals or the law of the land; the next needs no more than a line.</p>
<blockquote><p>To no one will we sell, to no one deny or delay right or justice.</p></blockquote>
<p>The Pope annulled the whole within ten weeks, and a war began. The king died the next year, and his son’s guardians issued the charter again. Of the first copies four remain: two in the British Library, one each in Lincoln and Salisbury.</p>`,
        source: 'https://en.wikipedia.org/wiki/Magna_Carta',
      },
      {
        title: 'The mountain that took away a summer',
        content: `<p>Tambora, on the Indonesian island of Sumbawa, erupted on 10 April 1815 with more force than any volcano in recorded history. Tens of thousands died on the islands. A veil of sulphur spread round the globe; <a href="https://en.wikipedia.org/wiki/Year_Without_a_Summer">in 1816 snow fell</a> in New England in June, and the grain rotted in the fields of Ireland, the Rhineland and Switzerland. Few made the connection for a century. A party of English guests at Lake Geneva, kept indoors by the rain, told ghost stories, and Mary Shelley’s became <em>Frankenstein</em>.</p>`,
        source: 'https://en.wikipedia.org/wiki/1815_eruption_of_Mount_Tambora',
        picture: { drawing: 'mountain.svg', title: 'A red Sun over a cooled world', text: credit },
      },
    ],
  },
  {
    slot: '3PM',
    memos: [
      {
        title: 'A gavel in the shape of a leaf came down at Le Bourget',
        content: `<p>On 12 December 2015 the delegates of 195 countries and the European Union agreed to keep the warming of the Earth well below two degrees, and to try to keep it to one and a half. Laurent Fabius, in the chair, looked round, heard no objection, and brought down a small green hammer. Grown diplomats wept.</p>
<p>The Paris Agreement works unlike the treaty before it. Instead of dividing up a burden,</p>
<ul>
<li>every country sets its own target,</li>
<li>it must set a higher one every five years,</li>
<li>and it must report, in the same form as everyone else, how far it has come.</li>
</ul>
<p>There is no penalty but being seen. In its last hours the text almost failed over one word, when the Americans found “shall” where they had agreed to “should”; it was corrected as a slip of typing. It came into force on 4 November 2016.</p>`,
        source: 'https://unfccc.int/process-and-meetings/the-paris-agreement',
        picture: { drawing: 'wind-turbines.svg', title: 'One of the ways to keep a promise', text: credit },
      },
      {
        title: 'One page and a drawing in “Nature”',
        content: `<p>On 25 April 1953 the journal printed a letter of fewer than a thousand words by James Watson and Francis Crick with a sketch of two spirals. It proposed a structure for DNA, two chains wound about one axis with the bases paired inside. Near the end stands a sentence often quoted for its modesty:</p>
<blockquote><p>It has not escaped our notice that the specific pairing we have postulated immediately suggests a possible copying mechanism for the genetic material.</p></blockquote>
<p>Two papers from King’s College London followed in the same issue, with the evidence. One was by <a href="https://en.wikipedia.org/wiki/Rosalind_Franklin">Rosalind Franklin</a> and Raymond Gosling, whose X-ray photograph Mr Watson had been shown without their knowledge. Franklin died in 1958. The prize was given in 1962, to Crick, Watson and Maurice Wilkins.</p>`,
        source: 'https://www.nobelprize.org/prizes/medicine/1962/summary/',
      },
      {
        title: 'The old bridge of Mostar was opened anew',
        content: `<p>On 23 July 2004 young men dived once more from the Stari Most into the cold green Neretva. The bridge, a single arch of twenty-nine metres, had been finished in 1566 by <a href="https://en.wikipedia.org/wiki/Mimar_Hayruddin">Mimar Hayruddin</a>, a pupil of the great Sinan, and had fallen to shelling on 9 November 1993, in the war in Bosnia.</p>
<p>It was rebuilt by the old methods with stone from the old quarry, held by iron clamps set in lead. Hungarian army divers had brought up the fallen blocks, but most were too damaged to use. A year later it became a World Heritage site, as a sign, the committee wrote, of reconciliation.</p>`,
        source: 'https://whc.unesco.org/en/list/946',
        picture: { drawing: 'river-bridge.svg', title: 'A bridge in the middle of a town', text: credit },
      },
      {
        title: 'Kenya began to send money by telephone',
        content: `<p>On 6 March 2007 the Kenyan company Safaricom opened a service called M-Pesa; <em>pesa</em> is Swahili for money. A customer hands cash to an agent, often a shopkeeper, and sends it on by text message to anyone with a telephone. It had been tried out for the repayment of small loans, but people used it to send wages home to the village. Within four years most households in the country had it, long before most of them had a bank account.</p>`,
        source: 'https://en.wikipedia.org/wiki/M-Pesa',
      },
      {
        title: 'Four gold medals in one week of August',
        content: `<p>Between 3 and 9 August 1936 Jesse Owens, the grandson of slaves, won the hundred metres, the long jump, the two hundred metres and the relay at the Games in Berlin, which the German government had meant for a display of another kind. In the long jump the German Luz Long came second, was the first to congratulate him, and walked with him arm in arm round the stadium. At a reception held in his honour in New York, Owens had to take the goods lift.</p>`,
        source: 'https://en.wikipedia.org/wiki/Jesse_Owens',
      },
      {
        title: 'Five days of fog that changed the law',
        content: `<p>On 5 December 1952 cold air settled over London without a breath of wind, and the smoke of a million coal fires stayed where it was. It entered houses and cinemas; a performance at Sadler’s Wells was stopped because the audience could no longer see the stage. Conductors walked in front of their buses with lamps. On the 9th the wind came back.</p>
<p>Only when the registrars had counted did it become clear that some four thousand people more than usual had died; later studies put it at up to twelve thousand. The Clean Air Act of 5 July 1956 allowed towns to forbid smoke, and paid households part of the cost of changing their grates.</p>`,
        source: 'https://en.wikipedia.org/wiki/Great_Smog_of_London',
      },
    ],
  },
  {
    slot: '8PM',
    memos: [
      {
        title: 'The web was given away in two pages',
        content: `<p>On 30 April 1993 two directors of <a href="https://home.cern/">CERN</a>, the laboratory near Geneva, signed a paper by which it gave up all rights to the software of the World Wide Web: whoever liked might use, copy, change and pass it on. There were then a few dozen servers in the world.</p>
<p>Tim Berners-Lee had proposed the thing in March 1989, as a way for physicists to find each other’s notes. His supervisor, Mike Sendall, wrote three words on the cover:</p>
<blockquote><p>Vague but exciting …</p></blockquote>
<p>By the end of 1990 the first server, the first browser and the first page existed, all on one computer, with a label in red ink that asked the cleaners not to switch it off. The parts have kept their names:</p>
<ul>
<li><strong>HTML</strong>, the language in which a page is written;</li>
<li><strong>HTTP</strong>, the way in which one machine asks another for it;</li>
<li><strong>URL</strong>, the address at which it is to be found.</li>
</ul>
<p>Another system, Gopher, was just then more widely used. In that same spring the university that owned it announced that some would have to pay. Within a year the traffic of the web had overtaken it.</p>`,
        source: 'https://home.cern/science/computing/birth-web',
      },
      {
        title: 'The soloist had to turn the composer round to see the applause',
        content: `<p>Beethoven’s Ninth Symphony was first heard on 7 May 1824 at the Kärntnertor theatre in Vienna, after two full rehearsals. It was the first great symphony with a choir in it. The composer, quite deaf, stood by the conductor and beat time from his score, while the players had been told to look at the other man. At the end, or after the scherzo, as some recalled, Caroline Unger, the alto, took him by the sleeve and turned him to the hall, where hats and handkerchiefs were in the air.</p>`,
        source: 'https://en.wikipedia.org/wiki/Symphony_No._9_(Beethoven)',
      },
      {
        title: 'He went over the bar backwards',
        content: `<p>On 20 October 1968, in Mexico City, Dick Fosbury of Oregon won the high jump with 2.24 metres by a method nobody else used. He ran in a curve, turned his back on the bar, and went over it head first. He had come upon it as a schoolboy who could not manage the usual straddle, once foam had replaced sawdust in the pit. By 1980 thirteen of the sixteen Olympic finalists jumped as he did.</p>`,
        source: 'https://en.wikipedia.org/wiki/Dick_Fosbury',
        picture: { drawing: 'stadium.svg', title: 'A new way over, in front of 80,000', text: credit },
      },
      {
        title: 'A string of comets fell into Jupiter',
        content: `<p>From 16 to 22 July 1994 more than twenty pieces of the comet Shoemaker–Levy 9 struck the planet, one after another, at sixty kilometres a second. Carolyn and Eugene Shoemaker and David Levy had found it the year before, already pulled apart by an earlier passage.</p>
<p>For the first time a collision of this kind could be watched, and almost every telescope did. The largest fragment, called G, left a dark mark as wide as the Earth, visible through amateur glasses for months. It ended a debate on whether such things still happen. A few years later governments began to search the sky methodically for bodies that might come our way.</p>`,
        source: 'https://en.wikipedia.org/wiki/Comet_Shoemaker%E2%80%93Levy_9',
        picture: { drawing: 'comet.svg', title: 'A comet whole, before it meets a planet', text: credit },
      },
      {
        title: 'The peace prize went to a breeder of wheat',
        content: `<p>Norman Borlaug was in a test plot west of Mexico City on 21 October 1970 when his wife drove out to tell him of the Nobel Peace Prize. He thought that she was joking, and finished the row.</p>
<p>Since 1944 he had crossed thousands of strains to get a short, stiff wheat that resists rust and carries a heavy ear without falling over. Mexico came to feed itself by 1956; harvests in India and Pakistan nearly doubled in five years. The new plants asked for water and fertiliser, which not every farmer could pay for, and critics said so early on. He never claimed more, he said in Oslo, than to have won “a breathing space”.</p>`,
        source: 'https://www.nobelprize.org/prizes/peace/1970/borlaug/facts/',
        picture: { drawing: 'wheat-field.svg', title: 'Short straw, heavy ears', text: credit },
      },
      {
        title: 'A country did away with its army',
        content: `<p>On 1 December 1948 José Figueres, head of the junta that governed Costa Rica after a short civil war, struck a blow with a mallet at the wall of the Bellavista barracks in San José and announced that the army was abolished. The keys were handed to the university, and the barracks became the national museum. The constitution of 1949 made it lasting, in its twelfth article. Before the next year was out he gave up power to the man who had been elected.</p>`,
        source: 'https://en.wikipedia.org/wiki/Jos%C3%A9_Figueres_Ferrer',
      },
      {
        title: 'Sixty riders set out to sell a newspaper',
        content: `<p>On 1 July 1903 the first Tour de France started outside a café at Montgeron, near Paris. It had been thought up by a young man at the sports paper <em>L’Auto</em>, which wanted to outsell a rival. There were six stages, of four hundred kilometres on average, ridden partly by night on gravel. Twenty-one men came back to Paris. Maurice Garin, a chimney sweep by trade, won by almost three hours, and the paper’s sales more than doubled.</p>
<p>Today’s race is about a thousand kilometres longer and takes almost three times as many riders. The yellow of the leader’s jersey, introduced in 1919, was that of the paper on which <em>L’Auto</em> was printed.</p>`,
        source: 'https://en.wikipedia.org/wiki/1903_Tour_de_France',
        picture: { drawing: 'road.svg', title: 'The mountains were added later', text: credit },
      },
    ],
  },
]
