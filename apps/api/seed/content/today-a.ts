import type { SeedEdition } from './types.ts'

const credit = '<p>Drawing: Tidings</p>'

/** First set for the current date: three editions from the record, each memo stating its own date. */
export const todaySetA: readonly SeedEdition[] = [
  {
    slot: '10AM',
    memos: [
      {
        title: 'Two men walked on the Moon, and a third waited above',
        content: `<p>On 20 July 1969 the lunar module <em>Eagle</em> came down on the Sea of Tranquillity with fuel left for well under a minute. Neil Armstrong had flown the last stretch by hand, since the automatic landing was heading for a field of boulders. Six and a half hours later he stepped off the ladder.</p>
<blockquote><p>That’s one small step for man, one giant leap for mankind.</p></blockquote>
<p>He always held that he had said “a man”, as the sense requires; the recording has never quite settled it. Buzz Aldrin followed him nineteen minutes later. They spent about two and a half hours outside, set up instruments, and gathered 21.5 kilograms of rock and soil.</p>
<p>Michael Collins meanwhile circled above them. For part of each orbit the Moon stood between him and everybody else. One of the things they left, a tray of glass prisms, is in use still: by timing a laser’s return from it, observatories found that the Moon recedes from us by 3.8 centimetres a year.</p>`,
        source: 'https://www.nasa.gov/mission/apollo-11/',
        picture: {
          drawing: 'lunar-plain.svg',
          title: 'The plain, the lander, and where they had come from',
          text: credit,
        },
      },
      {
        title: 'The world was declared free of smallpox',
        content: `<p>On 8 May 1980 the World Health Assembly accepted the finding of an international commission that smallpox was gone. It had killed some three hundred million people in that century alone, and no treatment for it had ever been found.</p>
<p>The last person to catch it in the natural way was <a href="https://en.wikipedia.org/wiki/Ali_Maow_Maalin">Ali Maow Maalin</a>, a hospital cook in the Somali town of Merca, who fell ill in October 1977 and recovered. The campaign had begun in earnest ten years earlier. Its final method was less to vaccinate everyone than to find every case quickly and vaccinate everyone around it.</p>`,
        source: 'https://www.who.int/health-topics/smallpox',
      },
      {
        title: 'Thirty articles were agreed upon in Paris',
        content: `<p>The General Assembly of the United Nations adopted the Universal Declaration of Human Rights on 10 December 1948, at the Palais de Chaillot. Forty-eight members voted for it and none against; eight abstained. The first of its articles begins:</p>
<blockquote><p>All human beings are born free and equal in dignity and rights.</p></blockquote>
<p>An early draft had said “all men”. It was <a href="https://en.wikipedia.org/wiki/Hansa_Jivraj_Mehta">Hansa Mehta</a>, the delegate of India, who had it changed. The text binds nobody by itself, but treaties and constitutions have been built on it since, and it has been translated into more than five hundred languages, from Abkhaz to Zulu.</p>`,
        source: 'https://www.un.org/en/about-us/universal-declaration-of-human-rights',
        picture: { drawing: 'manuscript.svg', title: 'A text meant to be read aloud', text: credit },
      },
      {
        title: 'New Zealand gave women the vote',
        content: `<p>On 19 September 1893 the governor signed the act by which New Zealand became the first self-governing country to let all adult women vote for parliament, Māori women among them. Kate Sheppard and her friends had gathered nearly 32,000 signatures; the largest of their petitions was pasted into one roll and unrolled down the floor of the chamber. Ten weeks later two thirds of the women of age went to the polls.</p>
<p>They could not yet be elected themselves; that came in 1919. Of other self-governing countries Australia followed in 1902, leaving out most of its Aboriginal people, and Finland, then under the Tsar, in 1906.</p>`,
        source: 'https://nzhistory.govt.nz/politics/womens-suffrage',
        picture: { drawing: 'ballot-box.svg', title: 'First used by all in November 1893', text: credit },
      },
      {
        title: 'A note read out too early opened the Berlin Wall',
        content: `<p>Towards the end of a press conference on 9 November 1989 Günter Schabowski, of the East German leadership, read from a sheet that had been handed to him that citizens might now travel abroad without giving reasons. It was meant for the next morning, and for people with a stamp in their passport. Asked when it came into force, he looked through his papers and said: at once, without delay.</p>
<p>By ten o’clock crowds stood at the crossings. The guards had no orders. At about half past eleven the officer in charge at Bornholmer Strasse, Harald Jäger, had the barrier raised.</p>`,
        source: 'https://en.wikipedia.org/wiki/Fall_of_the_Berlin_Wall',
      },
      {
        title: 'The whalers agreed to stop, and mostly did',
        content: `<p>The International Whaling Commission decided on 23 July 1982, by twenty-five votes to seven, to set all catches for trade to zero from the season of 1985–86. It was founded in 1946 by countries that hunted whales and wished to go on doing so.</p>
<p>Norway objected and was not bound. Japan hunted for research, as the rules allowed, until 2019, and has hunted in its own waters since then outside the Commission. Iceland left and came back. Yet the great catches of the twentieth century, almost three million animals, were over, and humpbacks in several oceans have nearly regained their former numbers.</p>`,
        source: 'https://iwc.int/',
        picture: {
          drawing: 'whale.svg',
          title: 'A humpback can be known by the underside of its tail',
          text: credit,
        },
      },
    ],
  },
  {
    slot: '3PM',
    memos: [
      {
        title: 'One ship, six days, and a tenth of the world’s trade',
        content: `<p>On the morning of 23 March 2021 the <em>Ever Given</em>, four hundred metres long and loaded with more than eighteen thousand containers, ran into the bank of the Suez Canal in a strong wind and a cloud of dust, and came to lie across it from side to side.</p>
<p>About twelve per cent of the trade of the world passes through the canal. What followed could be watched by anybody:</p>
<ol>
<li>a single yellow excavator dug at the bow, and became famous for its size;</li>
<li>dredgers moved thirty thousand cubic metres of sand;</li>
<li>a dozen tugs pulled at each high tide;</li>
<li>on 29 March, with the spring tide of a full moon, the ship came free.</li>
</ol>
<p>By then more than three hundred and sixty vessels were waiting. Others had turned to go round Africa. Egypt kept the ship in the Great Bitter Lake until July, when the insurers settled.</p>`,
        source: 'https://en.wikipedia.org/wiki/2021_Suez_Canal_obstruction',
        picture: {
          drawing: 'container-ship.svg',
          title: 'The long way round Africa takes a week or two more',
          text: credit,
        },
      },
      {
        title: 'A dish left on a bench, and a clear ring in it',
        content: `<p>Back from his summer holiday in September 1928, Alexander Fleming of St Mary’s Hospital in London looked through some old culture plates before throwing them out. On one of them grew a mould, and around the mould the bacteria had died. He named what it gave off penicillin, published it in 1929, and could not purify it.</p>
<p>That was done at Oxford ten years later, by Howard Florey, Ernst Chain, <a href="https://en.wikipedia.org/wiki/Norman_Heatley">Norman Heatley</a> and others. When their laboratory had no vessels large enough to grow the mould, they used bedpans. The first patient, a policeman, improved within a day in February 1941, and died when the supply ran out.</p>`,
        source: 'https://www.nobelprize.org/prizes/medicine/1945/summary/',
        picture: {
          drawing: 'laboratory.svg',
          title: 'It took ten years from the dish to the flask',
          text: credit,
        },
      },
      {
        title: 'Twelve countries changed their money overnight',
        content: `<p>On 1 January 2002 notes and coins in euro came into use in twelve countries and for some three hundred million people. Nearly eight billion notes had been printed and some forty billion coins struck beforehand. The currency had existed in the books for three years. By the end of February the old money, some of it with a history of centuries, was no longer legal tender anywhere in the area.</p>
<p>Each country had chosen the design for one face of its coins, a harp, an owl, a Vitruvian man, while the notes show windows and bridges in the styles of seven ages, none of which exists; no nation was to feel left out.</p>`,
        source: 'https://www.ecb.europa.eu/euro/html/index.en.html',
      },
      {
        title: 'A mile in less than four minutes',
        content: `<p>On 6 May 1954, on a cinder track at Oxford, the medical student Roger Bannister ran the mile in three minutes and 59.4 seconds. He had worked that morning at a hospital in London and come up by train, uncertain until the last half hour whether to try, because of the wind. Two friends set the pace.</p>
<p>The announcer, Norris McWhirter, drew out the news with care. When he came to the word “three”, the rest could not be heard. The record stood for forty-six days.</p>`,
        source: 'https://en.wikipedia.org/wiki/Roger_Bannister',
        picture: { drawing: 'stadium.svg', title: 'Four laps, then as now', text: credit },
      },
      {
        title: 'Nine judges agreed that separate could not be equal',
        content: `<p>The Supreme Court of the United States held on 17 May 1954, in <em>Brown v. Board of Education of Topeka</em>, that states may not keep separate public schools for black and white children. Five cases had been joined in it. The opinion was short, so that newspapers could print the whole, and it was unanimous, for which the new Chief Justice, Earl Warren, had worked all winter.</p>
<blockquote><p>Separate educational facilities are inherently unequal.</p></blockquote>
<p>A second decision a year later asked that schools be opened “with all deliberate speed”. In much of the South little happened for ten years.</p>`,
        source: 'https://www.archives.gov/milestone-documents/brown-v-board-of-education',
      },
      {
        title: 'The night the telegraph ran on nothing',
        content: `<p>On 1 September 1859 the astronomer Richard Carrington was drawing sunspots at Redhill, in Surrey, when two points of white light broke out among them and faded within five minutes. Some eighteen hours later the largest magnetic storm on record reached the Earth.</p>
<p>Auroras were seen as far south as the Caribbean, and gold miners in the Rocky Mountains got up to make breakfast. Operators in Boston and Portland took the batteries off their line and went on talking by the current of the storm alone. A storm of that size today would try the power grids of whole continents; satellites are now stationed towards the Sun to give warning of one.</p>`,
        source: 'https://en.wikipedia.org/wiki/Carrington_Event',
      },
    ],
  },
  {
    slot: '8PM',
    memos: [
      {
        title: 'A last look back from six billion kilometres',
        content: `<p>On 14 February 1990 the camera of Voyager 1 was turned round once more, before it was switched off for good, and took sixty pictures of the planets it was leaving behind. In one of them the Earth lies in a stray beam of sunlight. It fills about an eighth of a single picture element.</p>
<p>It was the astronomer Carl Sagan who had asked for the picture, against the doubts of colleagues who saw no science in it. Four years later he wrote of it:</p>
<blockquote><p>Look again at that dot. That’s here. That’s home. That’s us.</p></blockquote>
<p>Voyager 1 left Florida in September 1977, sixteen days after its sister. It flew past Jupiter and Saturn and in August 2012 passed out of the bubble of gas that the Sun blows around itself. It is the farthest object ever made by anyone. Its transmitter has about the power of the bulb in a refrigerator, and a message takes about a day to arrive.</p>
<p>Both craft carry a gilded <a href="https://en.wikipedia.org/wiki/Voyager_Golden_Record">copper disc</a> with greetings in fifty-five languages, the sounds of rain, of a kiss and of a train, and ninety minutes of music. Neither is heading for anywhere in particular. In some forty thousand years Voyager 1 will come within two light years of another star.</p>`,
        source: 'https://science.nasa.gov/mission/voyager/',
        picture: { drawing: 'satellite.svg', title: 'A craft with its dish turned home', text: credit },
      },
      {
        title: 'A language was read again after fourteen centuries',
        content: `<p>In a letter dated 22 September 1822, and read to the academy in Paris on the 27th, Jean-François Champollion explained how the hieroglyphs of Egypt are to be read: some signs stand for sounds, others for words or ideas, often within one line.</p>
<p>His chief witness was a slab found by French soldiers at Rosetta in July 1799. It gives one decree, of 196 BC, in hieroglyphs, in the everyday script, and in Greek, which could be read. <a href="https://en.wikipedia.org/wiki/Thomas_Young_(scientist)">Thomas Young</a> in London had got as far as a few royal names. Champollion had learned Coptic, the late descendant of the language, so well that he was said to keep his diary in it.</p>`,
        source: 'https://www.britishmuseum.org/collection/object/Y_EA24',
        picture: {
          drawing: 'manuscript.svg',
          title: 'The decipherer’s other tool was a Coptic grammar',
          text: credit,
        },
      },
      {
        title: 'Two people stood on the highest point of the Earth',
        content: `<p>On 29 May 1953, at half past eleven in the morning, Edmund Hillary and Tenzing Norgay reached the top of Mount Everest. They stayed for a quarter of an hour. Tenzing buried sweets and a pencil in the snow as an offering, and Hillary a small cross. For years neither would say who had been first; it did not matter, both held, between two men on one rope. Tenzing wrote in the end that it was Hillary, by a step.</p>`,
        source: 'https://en.wikipedia.org/wiki/1953_British_Mount_Everest_expedition',
        picture: {
          drawing: 'mountain.svg',
          title: 'By the south col and the south-east ridge',
          text: credit,
        },
      },
      {
        title: 'A continent was set aside for peace and science',
        content: `<p>Twelve countries signed the Antarctic Treaty in Washington on 1 December 1959. It covers everything south of sixty degrees and says in few words that the continent is to be used for peaceful purposes only. Weapons tests and military manoeuvres are forbidden; results of research are shared; any party may inspect any other’s station.</p>
<p>Seven of the signatories claimed slices of the land, some of them the same ones. The treaty neither grants nor denies the claims, but lets them rest, and they have rested ever since. A protocol of 1991 forbids mining. There are now more than fifty parties.</p>`,
        source: 'https://www.ats.aq/e/antarctictreaty.html',
        picture: { drawing: 'ice.svg', title: 'The only native population is not a party', text: credit },
      },
      {
        title: 'A prize for planting trees',
        content: `<p>On 8 October 2004 Wangari Maathai of Kenya became the first African woman to be awarded the Nobel Peace Prize. A professor of veterinary anatomy, she had founded the Green Belt Movement in 1977, which paid women in the villages a small sum for each seedling that lived. They had told her that firewood and clean water were ever farther away. When the news reached her in Nyeri, she planted a tree. By then there were about thirty million.</p>`,
        source: 'https://www.nobelprize.org/prizes/peace/2004/maathai/facts/',
      },
      {
        title: 'The first wind farm that stood in the sea',
        content: `<p>In 1991 eleven turbines were set up in shallow water off Vindeby, on the Danish island of Lolland. Together they had a capacity of five megawatts. The trade thought it a costly curiosity. They ran for twenty-five years, were taken down in 2017, and had made in that time about as much power as a modern farm makes in a few weeks. A single turbine of today has three times the capacity of all eleven.</p>`,
        source: 'https://en.wikipedia.org/wiki/Vindeby_Offshore_Wind_Farm',
        picture: {
          drawing: 'wind-turbines.svg',
          title: 'Turbines with their feet in the water',
          text: credit,
        },
      },
      {
        title: 'An uproar in the theatre',
        content: `<p>The first night of <em>The Rite of Spring</em>, on 29 May 1913 at the new Théâtre des Champs-Élysées in Paris, was so loud in the stalls that the dancers could not hear the orchestra. Vaslav Nijinsky, who had made the steps, stood on a chair in the wings and shouted the count. Igor Stravinsky left his seat in a rage. Pierre Monteux conducted to the end. Within a year the music, played without the dance, was cheered in the same city, and the composer carried out on shoulders.</p>`,
        source: 'https://en.wikipedia.org/wiki/The_Rite_of_Spring',
      },
    ],
  },
]
