import type { SeedDay } from '../types.ts'

const credit = '<p>Drawing: Tidings</p>'

/** 24 August 2023: the day after the landing of Chandrayaan-3. */
export const day20230824: SeedDay = {
  date: '2023-08-24',
  editions: [
    {
      slot: '10AM',
      memos: [
        {
          title: 'India landed near the south pole of the Moon',
          content: `<p>The lander Vikram of the mission <a href="https://en.wikipedia.org/wiki/Chandrayaan-3">Chandrayaan-3</a> touched down on 23 August at three minutes past six in the evening, Indian time. India became the fourth country to land softly on the Moon, after the Soviet Union, the United States and China, and the first to do so in the south polar region, at about 69 degrees south.</p>
<p>The descent took some nineteen minutes and was flown by the craft alone. Four years earlier its predecessor had been lost in the same last stretch. The engineers had since strengthened the legs, carried more fuel, widened the area in which the lander might choose a spot, and, in their words, designed for failure rather than for success.</p>
<p>A rover of twenty-six kilograms, Pragyan, rolled down the ramp in the hours that followed. Both were built to work for one lunar day, fourteen of ours, until the Sun set. Between them they carried instruments for four questions:</p>
<ul>
<li>how warm the soil is at the surface, and a hand’s breadth below it;</li>
<li>whether the ground shakes;</li>
<li>how dense the thin gas of charged particles is that hangs over it;</li>
<li>which elements the rocks are made of.</li>
</ul>
<p>The south is where the next visitors mean to go as well. Some of its craters have not seen the Sun for two billion years or more, and spacecraft in orbit have found signs of ice in them. Ice is water to drink, air to breathe, and, taken apart, fuel for the journey on. Four days before, a Russian craft on its way to the same region, <a href="https://en.wikipedia.org/wiki/Luna_25">Luna 25</a>, had crashed after a faulty burn of its engine.</p>`,
          source: 'https://en.wikipedia.org/wiki/Chandrayaan-3',
          picture: {
            drawing: 'lunar-plain.svg',
            title: 'A lander in the long shadows of the lunar south',
            text: credit,
          },
        },
        {
          title: 'Water from Fukushima began to flow into the Pacific',
          content: `<p>The operator of the ruined power station in Fukushima started on 24 August to release treated water that had gathered since the accident of 2011. About 1.3 million tonnes stood in more than a thousand tanks, and the release was expected to take some thirty years.</p>
<p>Filters remove most radioactive substances but not tritium, a form of hydrogen; the water was therefore diluted until it held far less of it than Japanese rules allow. The <a href="https://www.iaea.org/">International Atomic Energy Agency</a>, whose inspectors were on the site, had reported in July that the plan met international safety standards and that its effect on people and the environment would be negligible.</p>
<p>China stopped all imports of Japanese seafood the same day. Fishermen in Fukushima, who had spent twelve years regaining the trust of buyers, had opposed the release.</p>`,
          source:
            'https://www.iaea.org/topics/response/fukushima-daiichi-nuclear-accident/fukushima-daiichi-alps-treated-water-discharge',
        },
        {
          title: 'An aeroplane listed as carrying Yevgeny Prigozhin came down north of Moscow',
          content: `<p>A private jet on its way from Moscow to Saint Petersburg crashed in the Tver region on 23 August, and all ten people on board were killed. The Russian aviation authority said that the founder of the Wagner group was on the passenger list, as was Dmitry Utkin, its commander. The cause was not known. Two months earlier to the day Mr Prigozhin had begun a short mutiny against the military leadership.</p>
<p>Residents of the village of Kuzhenkino had filmed it falling. In Saint Petersburg people laid flowers at the group’s former office; the government in Moscow opened an inquiry into a breach of the rules of air traffic.</p>`,
          source: 'https://en.wikipedia.org/wiki/2023_Wagner_Group_plane_crash',
        },
        {
          title: 'The last human chromosome was read from end to end',
          content: `<p>More than a hundred researchers published in <em>Nature</em> on 23 August the first complete sequence of a human Y chromosome. Over half of it had been missing from the reference that laboratories had used until then.</p>
<p>The Y is short but hard to read, since it is full of long passages that repeat themselves, some of them forwards and backwards like a palindrome. Earlier machines cut the text into snippets too small to be put in order. The new ones read long stretches at once. The work added more than thirty million letters and forty-one genes that code for proteins, and closed the book which the Telomere-to-Telomere consortium had all but finished the year before.</p>`,
          source: 'https://en.wikipedia.org/wiki/Y_chromosome',
        },
        {
          title: 'Thailand had a prime minister, and an exile had come home',
          content: `<p>The Thai parliament chose Srettha Thavisin, a property developer of the Pheu Thai party, as prime minister on 22 August, more than three months after the election. The party that had won the most seats, Move Forward, went into opposition.</p>
<p>Hours before the vote Thaksin Shinawatra, prime minister until the coup of 2006, had landed in Bangkok after fifteen years abroad. He was taken from the airport to court and from there to prison, to serve eight years; he was moved to a hospital that night.</p>
<p>The two events were widely read as parts of one settlement. Mr Srettha governed with eleven parties, among them two close to the generals whom his own had promised to keep out.</p>`,
          source: 'https://en.wikipedia.org/wiki/Srettha_Thavisin',
        },
        {
          title: 'Ecuador voted to leave the oil under Yasuní in the ground',
          content: `<p>About three in five Ecuadorian voters chose on 20 August to end drilling in Block 43, a field inside the Yasuní national park in the Amazon. The state company was given a year to withdraw from wells that yielded some 55,000 barrels a day.</p>
<p>The park is home to peoples who live in isolation of their own choice, and among the richest places on Earth in species. The question had been brought by a citizens’ initiative, which fought in the courts for ten years to have it put.</p>`,
          source: 'https://en.wikipedia.org/wiki/Yasuni_National_Park',
        },
      ],
    },
    {
      slot: '3PM',
      memos: [
        {
          title: 'The group of five invited six more',
          content: `<p>Brazil, Russia, India, China and South Africa ended their summit in Johannesburg on 24 August by inviting six countries to join them from the beginning of 2024:</p>
<ol>
<li>Argentina</li>
<li>Egypt</li>
<li>Ethiopia</li>
<li>Iran</li>
<li>Saudi Arabia</li>
<li>the United Arab Emirates</li>
</ol>
<p>More than twenty had formally asked. It would be the first enlargement since South Africa was added in 2010. The group has no charter and no secretariat; its members agree on wanting a larger voice in the lending institutions of the world, and on less besides. The Russian president, for whom the <a href="https://www.icc-cpi.int/">International Criminal Court</a> had issued a warrant, took part by video.</p>`,
          source: 'https://en.wikipedia.org/wiki/15th_BRICS_summit',
        },
        {
          title: 'Emperor penguins lost their chicks as the sea ice broke up early',
          content: `<p>Four of five known colonies of emperor penguins in the Bellingshausen Sea probably raised no chick in the spring of 2022, according to a study by the <a href="https://www.bas.ac.uk/">British Antarctic Survey</a> published on 24 August. Satellite pictures showed the ice gone from beneath the colonies before the young had grown the feathers that keep out water.</p>
<p>The birds need ice fast to the land from about April to the turn of the year. They can move after a single bad season; losing a whole region at once had not been seen before. The Antarctic sea ice of 2022 and 2023 was the lowest in a satellite record of forty-five years.</p>`,
          source: 'https://en.wikipedia.org/wiki/Emperor_penguin',
          picture: { drawing: 'ice.svg', title: 'At the edge of the fast ice', text: credit },
        },
        {
          title: 'A maker of graphics chips doubled its sales in a year',
          content: `<p>Nvidia reported on 23 August that it had sold goods for 13.5 billion dollars in its second quarter, twice as much as a year before, and expected about 16 billion in the third. Most of it came from processors for data centres, which every large computing company was trying to buy at the same time. The firm was founded in 1993 to draw pictures for games.</p>
<p>The same chips turned out to suit the long, repetitive sums by which language models are trained. In May the company’s shares had for the first time been worth more than a trillion dollars together, a mark only a handful of firms had reached.</p>`,
          source: 'https://en.wikipedia.org/wiki/Nvidia',
        },
        {
          title: 'Zimbabwe voted for a second day',
          content: `<p>Polling stations in parts of Zimbabwe remained open on 24 August because ballot papers had arrived hours late on the day of the election, above all in Harare and Bulawayo, where the opposition is strong. The election commission gave trouble with printing as the reason.</p>
<p>President Emmerson Mnangagwa, in office since 2017, was challenged chiefly by Nelson Chamisa, a lawyer and pastor whom he had narrowly beaten in 2018.</p>
<p>Observers had come from the European Union, the Commonwealth, the African Union and the region. Results of the presidential election were due within five days of the last vote, under a law that has often been tested.</p>`,
          source: 'https://en.wikipedia.org/wiki/2023_Zimbabwean_general_election',
        },
        {
          title: 'Northern Greece was burning for a sixth day',
          content: `<p>The fire that began on 19 August near Alexandroupolis had spread into the Dadia forest, a refuge of vultures and other birds of prey close to the Turkish border. Satellites of the European programme <a href="https://www.copernicus.eu/en">Copernicus</a> were mapping the burnt ground as it grew, already among the largest that a single fire had left in the European Union since such records began.</p>
<p>On 22 August firemen had found eighteen people dead in the forest. They were believed to be migrants. A hospital in Alexandroupolis had been cleared in the night, and some of its patients were cared for aboard a ferry in the harbour.</p>`,
          source: 'https://en.wikipedia.org/wiki/2023_Greece_wildfires',
        },
      ],
    },
    {
      slot: '8PM',
      memos: [
        {
          title: 'Carlsen won the only great prize of chess he had lacked',
          content: `<p>Magnus Carlsen of Norway won the World Cup in Baku on 24 August. Two long games of the final against Rameshbabu Praggnanandhaa had been drawn; Mr Carlsen won the first of the quick games that decided it and held the second.</p>
<p>He was thirty-two, had given up the world title that spring for want of appetite, and had never before got past the semi-finals of this tournament of 206 players. His opponent had turned eighteen two weeks earlier. He had beaten the second and third in the world on the way, and was to play in the <a href="https://en.wikipedia.org/wiki/Candidates_Tournament">Candidates</a>, the tournament which chooses the challenger for the title.</p>`,
          source: 'https://en.wikipedia.org/wiki/Chess_World_Cup_2023',
        },
        {
          title: 'Eight rivals debated in Milwaukee while the front-runner stayed away',
          content: `<p>Eight candidates for the Republican nomination met on 23 August for the first debate of the campaign. Donald Trump, far ahead in the polls, did not come, and had an interview published at the same hour instead. Asked who would support him if he were nominated and convicted, six of the eight raised a hand. He was due at a jail in Georgia the next day to be booked on charges of trying to overturn the result of 2020 in that state.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Republican_Party_presidential_debates_and_forums',
        },
        {
          title: 'New duties for the largest platforms took effect in Europe at midnight',
          content: `<p>From 25 August nineteen very large online services had to obey the strictest part of the <strong>Digital Services Act</strong>. They are those used by more than forty-five million people a month in the European Union, a tenth of its inhabitants.</p>
<p>What changed for a user was modest but plain to see:</p>
<ul>
<li>a feed had to be offered that was not built on a profile of the reader;</li>
<li>a removed post had to come with a reason, and a way to object;</li>
<li>advertising aimed at minors by profiling was forbidden;</li>
<li>every advertisement had to be kept in a public register.</li>
</ul>
<p>The companies also had to examine once a year what harm their services might do, and to let auditors read the result. The Commission may fine up to six per cent of worldwide turnover. Smaller services had until February 2024.</p>`,
          source: 'https://en.wikipedia.org/wiki/Digital_Services_Act',
        },
        {
          title: 'Spain’s first world title in women’s football was overshadowed',
          content: `<p>Four days after Olga Carmona’s goal had beaten England 1–0 in Sydney, talk in Spain was of something else: at the presentation the president of the federation, Luis Rubiales, had kissed the forward Jennifer Hermoso on the mouth. FIFA opened disciplinary proceedings on 24 August, and the federation called an extraordinary assembly for the next day.</p>
<p>The tournament itself had been the largest yet, with thirty-two teams and close to two million spectators in Australia and New Zealand.</p>`,
          source: 'https://en.wikipedia.org/wiki/2023_FIFA_Women%27s_World_Cup',
        },
        {
          title: 'A reformer’s surprise in Guatemala',
          content: `<p>Bernardo Arévalo, a sociologist whose small party had been expected to come nowhere, won the second round of the presidential election on 20 August with about three fifths of the vote. He had promised above all to act against corruption. He is the son of Juan José Arévalo, the country’s first freely elected president of the modern age. The prosecutor’s office went on trying to suspend his party.</p>
<p>He was due to take office on 14 January 2024. The regional observers of the Organization of American States had found the vote orderly and its outcome plain, and asked that it be respected.</p>`,
          source: 'https://en.wikipedia.org/wiki/Bernardo_Ar%C3%A9valo',
        },
        {
          title: 'Rain of a kind the desert had hardly known',
          content: `<p>Southern California was still clearing mud from its roads after the storm Hilary, which had crossed the border on 20 August. A tropical storm warning had never before been issued for that coast. Death Valley, the driest place in North America, received 2.2 inches in one day, as much as in a usual year, and the national park remained closed.</p>`,
          source: 'https://en.wikipedia.org/wiki/Hurricane_Hilary',
          picture: { drawing: 'storm.svg', title: 'Bands of cloud around a Pacific storm', text: credit },
        },
        {
          title: 'Central bankers gathered under the Tetons',
          content: `<p>The yearly symposium of the Federal Reserve Bank of Kansas City opened on 24 August at Jackson Hole, in Wyoming. It was called “Structural Shifts in the Global Economy”. Jerome Powell was to speak the next morning, and Christine Lagarde after him.</p>
<p>American interest rates stood at 5.25 to 5.5 per cent, the highest in twenty-two years. Inflation had fallen to about three per cent from a peak of nine, and the question among the guests was whether the last stretch would be the longest.</p>`,
          source: 'https://en.wikipedia.org/wiki/Jackson_Hole_Economic_Symposium',
        },
      ],
    },
  ],
}
