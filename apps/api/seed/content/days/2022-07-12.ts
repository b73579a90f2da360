import type { SeedDay } from '../types.ts'

const credit = '<p>Drawing: Tidings</p>'

/** 12 July 2022: the first full-colour pictures from the Webb telescope. */
export const day20220712: SeedDay = {
  date: '2022-07-12',
  editions: [
    {
      slot: '10AM',
      memos: [
        {
          title: 'The deepest infrared picture of the sky so far was shown a day early',
          content: `<p>On the evening of 11 July the White House showed the first full-colour image taken by the <a href="https://en.wikipedia.org/wiki/James_Webb_Space_Telescope">James Webb Space Telescope</a>, hours before four more were due. It shows the galaxy cluster SMACS 0723 as it appeared 4.6 billion years ago.</p>
<p>The cluster is heavy enough to bend light, and so works as a lens: behind it, stretched into arcs, lie galaxies far older and fainter than the cluster itself. The exposure took about twelve and a half hours. The piece of sky it covers, as the agency put it, is no larger than a grain of sand held at arm’s length by somebody standing on the ground.</p>`,
          source: 'https://en.wikipedia.org/wiki/Webb%27s_First_Deep_Field',
          picture: {
            drawing: 'telescope-mirror.svg',
            title: 'Eighteen gilded segments make one mirror 6.5 metres across',
            text: credit,
          },
        },
        {
          title: 'The world will count eight billion people in November, the United Nations expects',
          content: `<p>The 2022 edition of <em>World Population Prospects</em>, published on World Population Day, 11 July, put the arrival of the eight-billionth person at 15 November 2022. It also expected <a href="https://en.wikipedia.org/wiki/Demographics_of_India">India to pass China</a> as the most populous country during 2023.</p>
<p>The longer view was less crowded than many readers may have assumed:</p>
<ul>
<li>growth had fallen below one per cent a year in 2020, for the first time since 1950;</li>
<li>the population was projected to reach about 8.5 billion in 2030 and 9.7 billion in 2050;</li>
<li>a peak of around 10.4 billion was expected in the 2080s.</li>
</ul>
<p>More than half of the increase up to 2050 was expected in eight countries, five of them in Africa.</p>`,
          source: 'https://population.un.org/wpp/',
        },
        {
          title: 'Japan took leave of Shinzo Abe',
          content: `<p>A private funeral for the former prime minister was held on 12 July at <a href="https://en.wikipedia.org/wiki/Z%C5%8Dj%C5%8D-ji">Zojoji</a>, a temple in central Tokyo, four days after he was shot while giving a campaign speech in Nara. Crowds stood along the streets as the hearse passed the party headquarters, the prime minister’s office and the parliament building.</p>
<p>Mr Abe had led the government longer than anyone before him. The election to the upper house for which he had been campaigning went ahead on 10 July, and the governing coalition enlarged its majority.</p>`,
          source: 'https://en.wikipedia.org/wiki/Assassination_of_Shinzo_Abe',
        },
        {
          title: 'Sri Lanka waited for a president to resign',
          content: `<p>Gotabaya Rajapaksa had still not been seen in public three days after protesters walked into his official residence in Colombo on 9 July. The speaker of parliament said that the president would step down on the 13th.</p>
<p>The country had run out of foreign currency in the spring, stopped paying its external debt in April, and had been short of fuel, medicine and cooking gas ever since. Queues for petrol were measured in days.</p>
<p>What had begun in March as vigils by candlelight in the suburbs had become a camp by the sea in front of the president’s office, with a library and a kitchen. Visitors to the residence that week queued up to see the rooms, try the gymnasium, and read the notices asking them to break nothing.</p>`,
          source: 'https://en.wikipedia.org/wiki/2022_Sri_Lankan_protests',
        },
        {
          title: 'England scored eight against Norway in Brighton',
          content: `<p>England beat Norway 8–0 on 11 July in the group stage of the Women’s European Championship, the largest win in the history of the tournament. Beth Mead scored three times and Ellen White twice. The result put the hosts into the quarter-finals with a match to spare.</p>`,
          source: 'https://en.wikipedia.org/wiki/UEFA_Women%27s_Euro_2022',
          picture: {
            drawing: 'stadium.svg',
            title: 'A summer tournament in ten English grounds',
            text: credit,
          },
        },
        {
          title: 'Gas stopped flowing through Nord Stream 1 for the yearly inspection',
          content: `<p>The pipeline under the Baltic was shut on 11 July for maintenance planned to last ten days. The pause is routine; the worry was not. Deliveries had already been cut to about two fifths of capacity in June, and ministers in Berlin said openly that they could not be sure the gas would come back.</p>
<p>Germany had declared the second of three alarm stages of its gas emergency plan in late June, and was filling its storage caverns at whatever the market asked.</p>`,
          source: 'https://en.wikipedia.org/wiki/Nord_Stream_1',
        },
      ],
    },
    {
      slot: '3PM',
      memos: [
        {
          title: 'The euro touched one dollar for the first time in twenty years',
          content: `<p>The common currency fell on 12 July to a rate of one to one with the dollar, where it had last stood in December 2002. It had cost about 1.13 dollars at the turn of the year.</p>
<p>Two things pulled in the same direction. The Federal Reserve was raising interest rates quickly, which made it more rewarding to hold dollars, while the European Central Bank had yet to begin. And Europe was paying much more for imported gas, with a recession feared should deliveries stop. A round number changes nothing by itself; a cheaper euro makes exports easier to sell and every barrel of oil, which is priced in dollars, dearer.</p>
<p>For travellers the news was plainer. An American in Paris found the hotel about a sixth cheaper than the summer before; a European in New York did not care to work it out.</p>`,
          source: 'https://en.wikipedia.org/wiki/Euro',
        },
        {
          title: 'Croatia was cleared to become the twentieth country of the euro area',
          content: `<p>Finance ministers of the European Union adopted on 12 July the last three legal acts needed for Croatia to adopt the euro on 1 January 2023. The conversion rate was fixed at 7.53450 kuna.</p>
<p>The decision came nine years after the country joined the Union. Prices were to be shown in both currencies from early September, and kuna and euro would circulate side by side for the first two weeks of the new year. The kuna, named after the marten whose pelt once served as payment, had been in use since 1994.</p>`,
          source: 'https://en.wikipedia.org/wiki/Croatia_and_the_euro',
        },
        {
          title: 'The Security Council kept one road into north-west Syria open, for six months',
          content: `<p>Resolution 2642, adopted on 12 July, renewed permission for United Nations lorries to enter Syria from Turkey at <a href="https://en.wikipedia.org/wiki/Bab_al-Hawa_Border_Crossing">Bab al-Hawa</a> without the consent of the government in Damascus. The previous mandate had run out two days earlier.</p>
<p>Most members had wanted a year, as had the Secretary-General. Russia vetoed that on 8 July and offered six months, with a further six only by a new vote. Twelve members voted in favour; the United States, Britain and France abstained, saying that winter was the wrong season for a mandate to end. Some four million people lived in the area, most of them displaced at least once.</p>`,
          source: 'https://en.wikipedia.org/wiki/United_Nations_Security_Council_Resolution_2642',
        },
        {
          title: 'Eight candidates stood to follow Boris Johnson',
          content: `<p>Nominations for the leadership of the Conservative Party closed on 12 July with eight names. Each had needed the support of twenty members of parliament. The first ballot was set for the following day, and the members of the party were to choose between the last two over the summer.</p>
<p>Mr Johnson had announced on 7 July that he would go, after more than fifty ministers and aides had resigned within two days.</p>`,
          source:
            'https://en.wikipedia.org/wiki/July%E2%80%93September_2022_Conservative_Party_leadership_election',
        },
        {
          title: 'Mo Farah told the story of how he came to Britain',
          content: `<p>The runner who won four Olympic gold medals for Britain told in a BBC documentary, parts of which were made public on 11 July, that he had been brought into the country as a child under another boy’s name, and made to do housework for a family in west London. His own name, he said, was Hussein Abdi Kahin.</p>
<p>He confided in a teacher of physical education, who helped him to leave that house and to gain citizenship. The Home Office said on 12 July that it would take no action against him.</p>`,
          source: 'https://en.wikipedia.org/wiki/Mo_Farah',
        },
        {
          title: 'Fire crews held the line at the oldest sequoias of Yosemite',
          content: `<p>The Washburn Fire, first seen on 7 July, was burning at the edge of <a href="https://en.wikipedia.org/wiki/Mariposa_Grove">Mariposa Grove</a>, home to more than five hundred mature giant sequoias. Sprinklers kept the ground damp around the Grizzly Giant, a tree of around three thousand years. No named tree had been lost.</p>`,
          source: 'https://en.wikipedia.org/wiki/Washburn_Fire',
          picture: { drawing: 'forest.svg', title: 'Conifers of the Sierra Nevada', text: credit },
        },
      ],
    },
    {
      slot: '8PM',
      memos: [
        {
          title:
            'Webb opened its eyes: a nursery, a dying star, five galaxies and the air of a distant planet',
          content: `<p>The American, European and Canadian space agencies presented on 12 July the first full set of pictures and measurements from the James Webb Space Telescope, which had left French Guiana on Christmas Day 2021 and now circles a point one and a half million kilometres from the Earth.</p>
<h3>What was shown</h3>
<ul>
<li><strong>The <a href="https://en.wikipedia.org/wiki/Carina_Nebula">Carina Nebula</a>.</strong> The edge of a cavity in a cloud about 7,600 light years away, where young stars are still wrapped in the dust that made them. The press called the ridge the Cosmic Cliffs.</li>
<li><strong>The Southern Ring.</strong> Shells of gas thrown off by a dying star some 2,500 light years off. The mid-infrared view showed for the first time that this star is itself wrapped in dust.</li>
<li><strong><a href="https://en.wikipedia.org/wiki/Stephan%27s_Quintet">Stephan’s Quintet</a>.</strong> Five galaxies that seem to dance together. Four of them do; the fifth merely stands in front.</li>
<li><strong>WASP-96 b.</strong> Not a picture but a spectrum: the starlight filtered by the air of a hot giant planet, with the plain signature of water vapour.</li>
<li><strong>SMACS 0723.</strong> The deep field that had been shown the evening before.</li>
</ul>
<p>The telescope looks mainly at infrared light, for two reasons. Dust that stops visible light lets infrared through. And light from the first galaxies, stretched by the expansion of space on its long way here, arrives as infrared.</p>
<p>The observatory was decades late in the making and cost about ten billion dollars. Its launch was so exact that the fuel saved was expected to last for twenty years. All five targets were chosen to show what the instruments can do; the work of science, the teams said, began the same day.</p>`,
          source: 'https://science.nasa.gov/mission/webb/',
          picture: {
            drawing: 'telescope-mirror.svg',
            title: 'The mirror is kept cold behind a sunshield the size of a tennis court',
            text: credit,
          },
        },
        {
          title: 'Twitter went to court to hold Elon Musk to his word',
          content: `<p>Twitter filed suit on 12 July in the <a href="https://en.wikipedia.org/wiki/Delaware_Court_of_Chancery">Delaware Court of Chancery</a>, asking the court to order Mr Musk to complete the purchase he had agreed to in April at 54.20 dollars a share, about 44 billion in all. On 8 July he had announced that he was ending the agreement, saying the company had not told him enough about false accounts.</p>
<p>The court has no juries, has dealt with companies since 1792, and is known for two things the plaintiff wanted: speed, and a readiness to enforce contracts as they were written.</p>`,
          source: 'https://en.wikipedia.org/wiki/Acquisition_of_Twitter_by_Elon_Musk',
          picture: {
            drawing: 'courthouse.svg',
            title: 'Chancery judges decide without a jury',
            text: credit,
          },
        },
        {
          title: 'A series in Korean was nominated for the chief drama prize of American television',
          content: `<p><em>Squid Game</em> became on 12 July the first programme not in English to be nominated for an Emmy as outstanding drama series. It received fourteen nominations. <em>Succession</em> led the list with twenty-five.</p>`,
          source: 'https://en.wikipedia.org/wiki/74th_Primetime_Emmy_Awards',
        },
        {
          title: 'Magnus Cort won in the Alps by the width of a tyre',
          content: `<p>The tenth stage of the Tour de France, on 12 July from Morzine to the small airport above Megève, went to the Dane Magnus Cort, who caught Nick Schultz on the line. The race had been halted for some minutes when climate protesters sat down on the road.</p>
<p>Tadej Pogačar kept the yellow jersey, eleven seconds ahead of Lennard Kämna, who had been in the breakaway.</p>
<p>It was his second stage win at the Tour. In the first week, at home in Denmark, he had collected the points at every small hill, and the crowds there had cheered him as if each were an Alp.</p>`,
          source: 'https://en.wikipedia.org/wiki/2022_Tour_de_France',
          picture: { drawing: 'road.svg', title: 'The long way up to Megève', text: credit },
        },
        {
          title: 'Bumrah took six wickets at the Oval',
          content: `<p>India beat England by ten wickets on 12 July in the first of three one-day matches. Jasprit Bumrah took six for nineteen, his best figures in the format, and England were all out for 110. Rohit Sharma and Shikhar Dhawan made the runs without being parted, in under nineteen overs.</p>
<p>Four of the first six English batsmen were out without a run. Cloud and a little grass on the pitch had given the new ball more movement than is usual in July.</p>`,
          source: 'https://en.wikipedia.org/wiki/Indian_cricket_team_in_England_in_2022',
        },
        {
          title: 'A hot week was forecast for western Europe',
          content: `<p>Temperatures rose above forty degrees in parts of Spain and Portugal on 12 July, with the heat expected to spread north through France towards Britain by the weekend. Portugal was fighting several forest fires, and its government had placed the country on alert.</p>
<p>In England the Met Office had already published an amber warning of extreme heat, with advice of the simplest kind: drink water, draw the curtains, look in on neighbours who live alone.</p>
<p>Air from the Sahara was being drawn north by a low off the coast of Portugal. The ground was already dry after a spring with little rain, so that less of the Sun’s heat went into evaporation and more into the air.</p>`,
          source: 'https://en.wikipedia.org/wiki/2022_European_heatwaves',
        },
      ],
    },
  ],
}
