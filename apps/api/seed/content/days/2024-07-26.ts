import type { SeedDay } from '../types.ts'

const credit = '<p>Drawing: Tidings</p>'

/** 26 July 2024: the opening of the Olympic Games of Paris. */
export const day20240726: SeedDay = {
  date: '2024-07-26',
  editions: [
    {
      slot: '10AM',
      memos: [
        {
          title: 'Paris prepared to open the Games on its river',
          content: `<p>For the first time the opening ceremony of Summer Games was to be held outside a stadium. On the evening of 26 July some 6,800 athletes were to travel down the Seine on 85 boats, six kilometres from the Pont d’Austerlitz to the Trocadéro, with more than 300,000 people watching from the banks.</p>
<p>A hundred years had passed since the city last played host. In 1924 about one competitor in twenty-three was a woman; this time the organisers had given out as many places to women as to men, a little over five thousand each.</p>
<p>Both quays had been fenced off for a week, and residents needed a code to walk to their own doors.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Summer_Olympics_opening_ceremony',
          picture: {
            drawing: 'river-bridge.svg',
            title: 'Six kilometres of river for a stage',
            text: credit,
          },
        },
        {
          title: 'Fires beside the tracks stopped many of the fast trains of France',
          content: `<p>Cables in signal boxes on three high-speed lines were set alight before dawn on 26 July, at Courtalain to the west of Paris, Croisilles to the north and Pagny-sur-Moselle to the east. Railway workers disturbed people at a fourth place, on the line to the south-east, and trains there kept to their timetable.</p>
<p>The state railway expected some 800,000 passengers to be affected over the weekend, and asked those who could to put off their journey. Nobody was hurt. The prosecutor in Paris opened an inquiry.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_France_railway_arson_attacks',
        },
        {
          title: 'Monday was the warmest day in the record of the Earth',
          content: `<p>The mean temperature of the air over the whole planet reached a little more than 17.1 degrees on 22 July, the European climate service Copernicus reported in the course of the week. The day before had already been warmer than any earlier one.</p>
<p>The old record of 17.08 degrees was a year old. Before July 2023 it had stood at 16.8, since August 2016. The yearly high always falls in July or August, when summer warms the large land masses of the north. The figures come from a reanalysis, which combines measurements from satellites, ships, aircraft and ground stations in one model, and go back to 1940.</p>`,
          source: 'https://climate.copernicus.eu/',
          picture: { drawing: 'atmosphere.svg', title: 'A thin cover, and a warm one', text: credit },
        },
        {
          title: 'Joe Biden explained why he would not run again',
          content: `<p>In a speech from the Oval Office on 24 July, three days after he had withdrawn, the President gave his reason in a few words:</p>
<blockquote><p>I’ve decided the best way forward is to pass the torch to a new generation.</p></blockquote>
<p>By then Vice-President Kamala Harris had been promised the votes of enough delegates to be nominated. Barack Obama, who had waited longer than others, endorsed her on 26 July. The party was to call its roll online in the first days of August and to meet in Chicago on the 19th.</p>`,
          source:
            'https://en.wikipedia.org/wiki/Withdrawal_of_Joe_Biden_from_the_2024_United_States_presidential_election',
        },
        {
          title: 'Two injections a year kept every woman in a trial free of HIV',
          content: `<p>None of 2,134 young women who were given lenacapavir twice a year acquired HIV, researchers told the AIDS conference in Munich on 24 July. In two other groups of the trial, who took a pill each day, 55 women did. The results from South Africa and Uganda were published the same day in the <em><a href="https://www.nejm.org/">New England Journal of Medicine</a></em>.</p>
<p>The pills work when taken. Many women find it hard to take them, because of the cost of the journey to the clinic, or because a box of tablets is asked about at home. The talk in Munich turned quickly to the price. The drug was sold in the United States as a treatment for about 42,000 dollars a year; its maker, Gilead, was pressed to let others produce it for poorer countries.</p>`,
          source: 'https://en.wikipedia.org/wiki/Lenacapavir',
          picture: { drawing: 'laboratory.svg', title: 'A drug that lasts for half a year', text: credit },
        },
        {
          title: 'A third of Jasper was lost to the fire',
          content: `<p>The fire that entered the town of Jasper in the Canadian Rockies on the evening of 24 July destroyed 358 of its 1,113 buildings, the authorities said after a first survey. The hospital, the schools and the water works were saved. The town and the national park around it, with up to 25,000 residents and visitors, had been cleared two days earlier.</p>`,
          source: 'https://en.wikipedia.org/wiki/Jasper,_Alberta',
        },
        {
          title: 'Typhoon Gaemi crossed Taiwan and went ashore in Fujian',
          content: `<p>The typhoon struck the east coast of Taiwan in the night to 25 July, and the Chinese coast at Putian that evening. Offices, schools and the stock exchange of Taiwan were closed for two days. A freighter sank off Kaohsiung, and several other ships ran aground.</p>
<p>In the Philippines, which the storm did not reach but whose monsoon it fed, streets of Manila were under water. A tanker with 1.4 million litres of fuel oil sank in the bay on the 25th.</p>`,
          source: 'https://en.wikipedia.org/wiki/Typhoon_Gaemi',
        },
      ],
    },
    {
      slot: '3PM',
      memos: [
        {
          title: 'A rock with leopard spots on Mars',
          content: `<p>The rover Perseverance found, in a valley where a river once ran into the lake of <a href="https://en.wikipedia.org/wiki/Jezero_(crater)">Jezero crater</a>, a rock that holds three things geologists like to see together: organic compounds, veins left by water, and small pale spots with dark rims. NASA described it on 25 July.</p>
<p>On Earth such spots form when iron in the rock reacts, and microbes may live on the energy set free. They can also form without any life. The rover has used every instrument it carries on the block, which was named Cheyava Falls, and drilled a core from it on 21 July. Whether the rock means anything, one of the scientists said, can only be learned in a laboratory, and how to bring the cores home had not been settled.</p>`,
          source: 'https://science.nasa.gov/mission/mars-2020-perseverance/',
        },
        {
          title: 'Russia’s central bank raised its rate to eighteen per cent',
          content: `<p>The increase of two points on 26 July was the first of the year. Prices were rising at about nine per cent, against a target of four. The bank said that demand was growing faster than the economy could supply it, and that there were too few workers; unemployment stood at a record low of 2.6 per cent. Spending on the war had pushed up wages, and subsidised mortgages the price of flats.</p>
<p>Elvira Nabiullina, its governor, said that the rate might have to rise again. It was the highest since the spring of 2022, when twenty per cent had been set in the first days of the war to stop a run on the banks.</p>`,
          source: 'https://www.cbr.ru/eng/',
        },
        {
          title: 'The burial mounds of the Ahom kings joined the World Heritage list',
          content: `<p>The <a href="https://whc.unesco.org/en/committee/">World Heritage Committee</a>, meeting in New Delhi, inscribed on 26 July the moidams of Charaideo in Assam, in the foothills of the Patkai range. The Tai-Ahom came into the valley of the Brahmaputra in the thirteenth century and buried their royalty there for six hundred years.</p>
<p>A moidam is a vault of brick, stone or wood beneath a mound of earth, with a low wall of eight sides around it and banyan or other trees allowed to grow. Ninety of them, of several sizes, stand within the site. It is the forty-third in India and the first cultural one in the north-eastern states.</p>`,
          source: 'https://en.wikipedia.org/wiki/Charaideo',
        },
        {
          title: 'A million doses of polio vaccine were on their way to Gaza',
          content: `<p>The <a href="https://www.who.int/">World Health Organization</a> said on 26 July that it was sending more than a million doses to the Gaza Strip, after poliovirus had been found in samples of sewage taken in June at Deir al-Balah and Khan Younis. No child was known to be paralysed.</p>
<p>It was a strain that descends from the weakened virus in an oral vaccine and can regain strength where many are not immunised. Before the war some 99 per cent of the children in the territory had been vaccinated; by early 2024 it was fewer than nine in ten.</p>`,
          source: 'https://polioeradication.org/',
        },
        {
          title: 'The court in Dhaka cut the quotas; the streets had not calmed',
          content: `<p>Bangladesh was under curfew for a seventh day, relaxed for some hours at a time. The Supreme Court had ruled on 21 July that 93 per cent of government posts were to be filled on merit, five per cent kept for the families of those who fought for independence in 1971, and two per cent for minorities and people with disabilities. Before, thirty per cent had gone to the families of veterans.</p>
<p>It was what the students had first asked for. By then more than 150 people had been killed in the protests, and the internet had been cut off for five days. Their organisers now asked for an account of the dead.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Bangladesh_quota_reform_movement',
          picture: { drawing: 'courthouse.svg', title: 'A ruling that came late', text: credit },
        },
        {
          title: 'A computer missed a gold medal in mathematics by one point',
          content: `<p>Two programs of Google DeepMind together solved four of the six problems of the year’s International Mathematical Olympiad, the company announced on 25 July, and would have received 28 points of 42. Gold began at 29. One problem took minutes, another almost three days, where the pupils had two sittings of four and a half hours.</p>
<p>The proofs were written in a formal language that another program checks line by line, so that nothing could be true merely by sounding so.</p>
<p>The human gold medals, fifty-eight of them, had been handed out in Bath a few days before. The team of the United States came first, China second by two points.</p>`,
          source: 'https://en.wikipedia.org/wiki/International_Mathematical_Olympiad',
        },
        {
          title: 'The French Alps and Salt Lake City were given Winter Games',
          content: `<p>The International Olympic Committee awarded on 24 July the Winter Games of 2030 to the French Alps, provided that the state signed its guarantees after the parliamentary election, and those of 2034 to Salt Lake City. Each was the only candidate. Nearly all the sites exist already: new rules ask hosts to fit the Games to the place, after years in which cities withdrew when their citizens were asked.</p>`,
          source: 'https://en.wikipedia.org/wiki/2030_Winter_Olympics',
        },
        {
          title: 'The American economy grew faster than expected',
          content: `<p>Output rose at a yearly rate of 2.8 per cent in the second quarter, by a first estimate published on 25 July, twice the pace of the first. On the 26th the measure of prices that the Federal Reserve watches came in at 2.5 per cent over the year. Most economists expected a first cut in interest rates in September.</p>
<p>Consumers had spent more on cars, furniture and health, and firms on machines. Higher rates, at their level since July 2023, were felt chiefly in the building of houses, which shrank a little.</p>`,
          source: 'https://www.bea.gov/data/gdp/gross-domestic-product',
        },
      ],
    },
    {
      slot: '8PM',
      memos: [
        {
          title: 'In the rain, the boats came down the Seine',
          content: `<p>At half past seven on the evening of 26 July a curtain of smoke in blue, white and red rose over the Pont d’Austerlitz, and the first boat came through it. It carried Greece, as the custom is. The second carried the <a href="https://olympics.com/ioc/refugee-olympic-team">Refugee Olympic Team</a>, thirty-seven athletes who for one reason or another could not compete for the countries they were born in. After them came the nations in French alphabetical order.</p>
<h3>An evening in parts</h3>
<p>Instead of a parade followed by a show the director Thomas Jolly had woven the two together, along the whole of the route:</p>
<ul>
<li>dancers on the scaffolding of Notre-Dame, whose reopening was set for December;</li>
<li>cabaret with feathers on a gilded stairway at the water’s edge;</li>
<li>singers and a metal band at the windows of the Conciergerie;</li>
<li>a torchbearer in a hood, without a face, who ran over the roofs of the city.</li>
</ul>
<p>Rain set in soon after the start. The spectators on the quays put on ponchos or left; the athletes, mostly, danced. Last on the water were to be Australia and the United States, hosts of the two Games to come, and France.</p>
<p>The motto of the Games has four words since 2021, when one was added to the three that Pierre de Coubertin had taken from a Dominican friend, Henri Didon:</p>
<blockquote><p>Citius, Altius, Fortius – Communiter.</p></blockquote>
<p>Faster, higher, stronger – together. The events proper would begin in the morning, with 329 sets of medals to be won in sixteen days.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Summer_Olympics_opening_ceremony',
          picture: {
            drawing: 'river-bridge.svg',
            title: 'One of the bridges between Austerlitz and the Trocadéro',
            text: credit,
          },
        },
        {
          title: 'A world record before the Games were open',
          content: `<p>Lim Si-hyeon of South Korea shot 694 points of a possible 720 in the ranking round of archery on 25 July, two more than any woman before her. The round decides only who meets whom. Her country has won the women’s team event each time it was held since 1988.</p>`,
          source: 'https://en.wikipedia.org/wiki/Archery_at_the_2024_Summer_Olympics',
        },
        {
          title: 'The goal that was taken back after two hours',
          content: `<p>Argentina thought they had drawn with Morocco, two all, in the sixteenth minute of added time on 24 July in Saint-Étienne. Spectators ran on to the field, and the players went in. Almost two hours later, in an empty ground, the referee looked at a screen, ruled the goal offside, and had the last three minutes played. Morocco won 2–1.</p>`,
          source:
            'https://en.wikipedia.org/wiki/Football_at_the_2024_Summer_Olympics_%E2%80%93_Men%27s_tournament',
        },
        {
          title: 'A cold giant, twelve light years from here, had its picture taken',
          content: `<p>The Webb telescope photographed a planet of the star Epsilon Indi A by hiding the star behind a mask, astronomers wrote in <em>Nature</em> on 24 July. It has some six times the mass of Jupiter and a temperature of about two degrees Celsius, which makes it one of the coldest ever seen directly.</p>
<p>Most planets whose picture exists are young and still glow from their birth. This one is some billions of years old. Its pull on the star had betrayed it before, but it turned out to be heavier, and farther out, than had been worked out from that.</p>`,
          source: 'https://en.wikipedia.org/wiki/Epsilon_Indi',
        },
        {
          title: 'Oxygen where no light falls',
          content: `<p>Researchers reported on 22 July in <em>Nature Geoscience</em> that oxygen seemed to be produced on the floor of the Pacific, four thousand metres down, where nothing can live by the Sun. They suspected the <a href="https://en.wikipedia.org/wiki/Manganese_nodule">metal-rich nodules</a> that lie there like potatoes on a field: on the surface of some they measured almost a volt, and thought that this might split water.</p>
<p>The nodules are what mining firms would like to collect. One of them, which had paid for part of the work, disputed the result, and other scientists asked for it to be repeated.</p>`,
          source: 'https://en.wikipedia.org/wiki/Dark_oxygen',
        },
        {
          title: 'Hanoi buried the man who had led its ruling party since 2011',
          content: `<p>A state funeral of two days for Nguyễn Phú Trọng ended on 26 July at the Mai Dịch cemetery. The general secretary of the Communist Party of Vietnam had died on the 19th, aged eighty. He was known at home for a campaign against corruption that he called a blazing furnace, and abroad for standing on good terms with Washington, Beijing and Moscow at the same time.</p>`,
          source: 'https://en.wikipedia.org/wiki/Nguy%E1%BB%85n_Ph%C3%BA_Tr%E1%BB%8Dng',
        },
        {
          title: 'Almost every computer was back, a week after the blue screens',
          content: `<p>The security firm CrowdStrike said on 25 July that more than 97 per cent of the Windows machines which its faulty update had stopped six days before were working again. Microsoft put their number at 8.5 million. The file at fault had been withdrawn after seventy-eight minutes; the repair had to be made by hand, machine by machine. Airlines cancelled thousands of flights, and hospitals went back to paper.</p>
<p>The file was not a program but a set of data that a program read, and it had passed a check that was itself at fault. From now on, the company said, such files would be sent to a few customers first.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_CrowdStrike-related_IT_outages',
        },
        {
          title: 'Ethiopia mourned the dead of two landslides',
          content: `<p>The number of dead recovered in the highlands of Gofa reached 257, the United Nations said on 25 July, and was expected to rise. A slope had given way after heavy rain on the night of the 21st. The next morning, when neighbours and police were digging with spades and bare hands, a second slide buried them.</p>
<p>The district lies some 450 kilometres by road from Addis Ababa, among steep fields where the soil, once cleared of trees, holds little in the rainy season from June to September. More than fifteen thousand people were to be moved from the slopes.</p>`,
          source: 'https://en.wikipedia.org/wiki/Gofa_Zone',
        },
        {
          title: 'Two victories in one summer, the first since Pantani',
          content: `<p>Tadej Pogačar of Slovenia had won the Tour de France on 21 July, by six minutes and seventeen seconds over Jonas Vingegaard, two months after winning the Giro d’Italia. Nobody had done both in a year since Marco Pantani in 1998. He took six stages of each. The race ended in Nice, since Paris was busy: never before in its history had it finished away from the capital and its outskirts.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Tour_de_France',
          picture: { drawing: 'road.svg', title: 'Above the coast at Nice', text: credit },
        },
      ],
    },
  ],
}
