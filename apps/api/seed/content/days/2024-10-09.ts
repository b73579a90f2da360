import type { SeedDay } from '../types.ts'

const credit = '<p>Drawing: Tidings</p>'

/** 9 October 2024: the third day of the Nobel week, and a hurricane off Florida. */
export const day20241009: SeedDay = {
  date: '2024-10-09',
  editions: [
    {
      slot: '10AM',
      memos: [
        {
          title: 'The prize for physics went to two who taught machines to remember',
          content: `<p>John Hopfield and Geoffrey Hinton were awarded the Nobel Prize in Physics on 8 October, “for foundational discoveries and inventions that enable machine learning with artificial neural networks”.</p>
<p>In 1982 Mr Hopfield described a network of simple units that stores patterns as the low points of a landscape. Given a blurred picture, it rolls downhill until it comes to rest at the clear one. The mathematics were those of magnetic materials. Mr Hinton and his colleagues built upon it the <a href="https://en.wikipedia.org/wiki/Boltzmann_machine">Boltzmann machine</a>, which learns from examples rather than instructions.</p>
<p>Mr Hinton, reached by telephone in a hotel in California, called himself flabbergasted. He had left Google the year before in order to speak freely about the dangers of what he had helped to make.</p>`,
          source: 'https://www.nobelprize.org/prizes/physics/2024/summary/',
        },
        {
          title: 'A coast that had not finished clearing up was told to leave again',
          content: `<p>Orders to evacuate covered more than a million people on the Gulf coast of Florida as hurricane Milton came near. On 7 October it had grown in a day from the lowest category of hurricane to the highest, with a pressure in its eye of about 897 hectopascals, among the lowest ever measured in the Atlantic basin. The water of the Gulf was unusually warm.</p>
<p>Broken furniture still lay at the roadside from hurricane Helene, thirteen days before. Crews worked through the night to cart it off, so that the new storm should not throw it about.</p>`,
          source: 'https://en.wikipedia.org/wiki/Hurricane_Milton',
          picture: { drawing: 'storm.svg', title: 'The eye seen from above', text: credit },
        },
        {
          title: 'Eight days in office, Japan’s prime minister dissolved the lower house',
          content: `<p>Shigeru Ishiba dissolved the House of Representatives on 9 October and called an election for the 27th. No prime minister since the war had done so that soon. He had won the leadership of the Liberal Democrats in late September, at the fifth attempt, and hoped for a mandate before an affair about unrecorded party funds could do more harm. Twelve lawmakers who had been caught up in it were refused the party’s endorsement.</p>
<p>The campaign was to be about prices, which had outrun wages for more than two years, and about trust. The coalition had held a comfortable majority in the house; the surveys left open whether it would keep one.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Japanese_general_election',
        },
        {
          title: 'The Reserve Bank of India kept its rate and changed one word',
          content: `<p>The repo rate remained at 6.5 per cent on 9 October, for the tenth meeting in a row; five members of six voted for it. The stance of the bank, however, was no longer “withdrawal of accommodation” but “neutral”, which leaves the way open to a cut. It was the first meeting of three new members from outside the bank.</p>`,
          source: 'https://www.rbi.org.in/',
        },
        {
          title: 'Joe Root became the highest scorer of Test runs for England',
          content: `<p>On the third day of the match in Multan, 9 October, Joe Root went past the 12,472 runs of Alastair Cook with a straight drive for four. Only four men in the history of the game now stood above him, all of them retired. He batted on in great heat, and at the end of the day had 176 to his name, with Harry Brook on 141 beside him.</p>`,
          source: 'https://en.wikipedia.org/wiki/Joe_Root',
        },
        {
          title: 'Mozambique chose a successor to Filipe Nyusi',
          content: `<p>Some seventeen million people were registered to vote on 9 October for a president, a parliament and provincial assemblies. Mr Nyusi had served the two terms the constitution allows. The candidate of Frelimo, in power since independence in 1975, was Daniel Chapo, governor of Inhambane; against him stood Ossufo Momade of Renamo, Lutero Simango, and Venâncio Mondlane, a former banker with a large following among the young.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Mozambican_general_election',
          picture: {
            drawing: 'ballot-box.svg',
            title: 'A fourth president since multi-party elections began',
            text: credit,
          },
        },
        {
          title: 'X was let back into Brazil',
          content: `<p>A judge of the Supreme Federal Court, Alexandre de Moraes, lifted on 8 October the ban on the network that had lasted since 30 August. The company had paid fines of 28.6 million reais, named a legal representative in the country, and blocked the accounts the court had ordered it to block. Its owner had at first refused all three as censorship.</p>`,
          source: 'https://en.wikipedia.org/wiki/Blocking_of_Twitter_in_Brazil',
        },
      ],
    },
    {
      slot: '3PM',
      memos: [
        {
          title: 'The prize for chemistry honoured the design of proteins and the reading of their shapes',
          content: `<p>The Royal Swedish Academy of Sciences gave one half of the <a href="https://www.nobelprize.org/prizes/chemistry/2024/summary/">Nobel Prize in Chemistry</a> on 9 October to David Baker of Seattle, “for computational protein design”, and the other half jointly to Demis Hassabis and John Jumper of London, “for protein structure prediction”.</p>
<h3>The question</h3>
<p>A protein is a chain of twenty kinds of links, strung in an order that the genes dictate. It folds itself within moments into one particular shape, and the shape decides what it can do: carry oxygen, cut starch, pull a muscle tight. Since the 1970s it had been a dream to tell the shape from the order alone. Until recently a single answer could cost years of work with X-rays.</p>
<h3>Two answers</h3>
<ul>
<li><strong>Forwards.</strong> Mr Hassabis and Mr Jumper presented AlphaFold2 in 2020, a program that had learned from all known structures and came close to the accuracy of measurement. With it they have predicted the shape of virtually all of the two hundred million proteins that have been identified. More than two million people in 190 countries have used it.</li>
<li><strong>Backwards.</strong> Mr Baker asked what chain would fold into a shape that does not exist in nature. In 2003 his group made the first, called Top7. Since then it has built proteins that may serve as medicines, vaccines, sensors and minute materials.</li>
</ul>
<p>The committee’s chairman, Heiner Linke, called the second feat spectacular, and the first the fulfilment of a dream fifty years old. It was noted in Stockholm that on two days running a prize had gone to work on learning machines, one for their foundations, the other for a use of them. The prize for literature was to follow on the 10th, that for peace on the 11th.</p>`,
          source: 'https://www.nobelprize.org/prizes/chemistry/2024/summary/',
          picture: { drawing: 'laboratory.svg', title: 'From a chain of links to a shape', text: credit },
        },
        {
          title: 'Renewable power was set to grow almost threefold by 2030',
          content: `<p>The world would add more than 5,500 gigawatts of renewable capacity between 2024 and 2030, nearly three times as much as in the six years before, the <a href="https://www.iea.org/">International Energy Agency</a> wrote in a forecast published on 9 October. Four fifths of it would be solar. China alone accounted for about sixty per cent.</p>
<p>This came close to the goal of tripling that governments had set themselves in Dubai, without reaching it: 2.7 times the capacity of 2022, by the agency’s count. What was lacking was less the panels than the wires. Grids have to be extended, and storage built, before so much changeable power can be put to use.</p>`,
          source: 'https://www.iea.org/reports/renewables-2024',
          picture: {
            drawing: 'wind-turbines.svg',
            title: 'Wind makes up most of what is not solar',
            text: credit,
          },
        },
        {
          title: 'A European craft set out to look at a dent',
          content: `<p>The probe Hera left Cape Canaveral on 7 October for the asteroid Dimorphos, which another craft, <a href="https://en.wikipedia.org/wiki/Double_Asteroid_Redirection_Test">DART</a>, had struck on purpose in September 2022. That blow shortened the moonlet’s path around its larger companion by about half an hour, and proved that an asteroid can be pushed.</p>
<p>How far one may rely on it depends on what could not be seen from the Earth: the weight of the body, what it is made of, and whether the impact left a crater or changed the whole shape. Hera was to fly past Mars in March 2025 and to arrive at the end of 2026, with two boxes the size of a shoebox that will go closer than the main craft dares.</p>`,
          source: 'https://www.esa.int/Space_Safety/Hera',
          picture: { drawing: 'satellite.svg', title: 'A survey craft with its panels out', text: credit },
        },
        {
          title: 'Chinese shares gave back part of a rise of ten days',
          content: `<p>The index of the largest companies in Shanghai and Shenzhen fell by 7.1 per cent on 9 October, the most since February 2020. It had gained more than thirty per cent since late September, when the central bank announced cheaper credit for buyers of homes and of shares. A press conference of the planners on the 8th had raised hopes of new spending, and contained none.</p>
<p>In Hong Kong, where trade had gone on through the holiday week, the fall had come a day earlier. The finance ministry announced, also on the 9th, that it would speak to the press on Saturday.</p>`,
          source: 'https://en.wikipedia.org/wiki/CSI_300_Index',
        },
        {
          title: 'The rivers of the world had their driest year in three decades',
          content: `<p>In 2023 more than half of all river basins carried an unusual amount of water, and most of these too little, the World Meteorological Organization reported on 7 October. Glaciers lost more than 600 billion tonnes of ice, the most in fifty years of observation.</p>
<p>The Mississippi and the Amazon stood at record lows. In the same year floods struck Libya, East Africa and New Zealand. Warmer air takes up water faster and lets it fall more heavily, so that there is more often too much or too little. The head of the organisation, Celeste Saulo, called water the canary in the coal mine of climate change.</p>`,
          source: 'https://wmo.int/',
        },
        {
          title: 'American lawyers said what they might ask of Google',
          content: `<p>In a paper filed with the court in Washington on 8 October the Department of Justice listed the remedies it was considering, after Judge Amit Mehta had found in August that Google holds its monopoly in search unlawfully. They ranged from a ban on payments to be the preset choice on telephones, through the sharing of data with rivals, to a separation of its browser or its telephone system. The company called the list radical. A decision was expected in the summer of 2025.</p>`,
          source: 'https://en.wikipedia.org/wiki/United_States_v._Google_LLC_(2020)',
        },
      ],
    },
    {
      slot: '8PM',
      memos: [
        {
          title: 'Ratan Tata, who took an Indian house into the world, died at eighty-six',
          content: `<p>The former chairman of the Tata group died in a hospital in Mumbai on the evening of 9 October. He had led it from 1991, when India began to open its economy, until 2012. In those years the group bought Tetley, the steelmaker Corus, and Jaguar Land Rover, and its turnover grew to around a hundred billion dollars.</p>
<p>About two thirds of the holding company belong to charitable trusts, so that much of what it earns pays for schools, hospitals and research. Mr Tata, an architect by training, never stood high on the lists of the rich. He was proud of the Nano, a car for a hundred thousand rupees that was meant to carry families who travelled four to a scooter; it found few buyers.</p>`,
          source: 'https://en.wikipedia.org/wiki/Ratan_Tata',
        },
        {
          title: 'Tornadoes ran ahead of the hurricane',
          content: `<p>Milton’s outer bands crossed Florida on the afternoon of 9 October with dozens of tornadoes, several of them on the Atlantic side, far from where the eye was expected. The weather service issued more than a hundred tornado warnings for the state in a day. The centre was close to the coast south of Tampa, at category three, and due to come ashore during the evening.</p>
<p>Storm surges of up to four metres had been forecast for Sarasota and the coast to its south. Whether they would enter Tampa Bay, which has not been struck in full since 1921, hung on some thirty kilometres to one side or the other.</p>`,
          source: 'https://en.wikipedia.org/wiki/Hurricane_Milton',
          picture: { drawing: 'storm.svg', title: 'Rain bands reach the land before the eye', text: credit },
        },
        {
          title: 'What a worm of one millimetre taught about ourselves',
          content: `<p>The week of prizes had begun on 7 October with the one for medicine, to Victor Ambros and Gary Ruvkun, for the discovery of microRNA.</p>
<p>Every cell of a body holds the same instructions; what makes a nerve differ from a muscle is which of them are read. In 1993 the two published side by side what they had found in the worm <em>C. elegans</em>: a very short piece of RNA, which coded for nothing, was sticking to a longer message and silencing it. Few took notice, since it might have been a quirk of worms. In 2000 Mr Ruvkun found a second one, present throughout the animal kingdom. More than a thousand are now known in humans.</p>`,
          source: 'https://www.nobelprize.org/prizes/medicine/2024/summary/',
        },
        {
          title: 'The library of the internet was broken into',
          content: `<p>Visitors to the Internet Archive were met on 9 October by a message from an intruder. A list of some thirty-one million accounts, with addresses and scrambled passwords, had been copied, while a flood of requests kept pushing the site off the network. The collection itself was unharmed, said its founder, Brewster Kahle; the site was taken down to be made safer. The archive, a charity in San Francisco, holds more than 800 billion saved pages.</p>
<p>Among its treasures is the <a href="https://web.archive.org/">Wayback Machine</a>, in which one may look up how a page read on a certain day, and on which courts, historians and the footnotes of encyclopaedias rely.</p>`,
          source: 'https://en.wikipedia.org/wiki/Internet_Archive',
        },
        {
          title: 'A comet was about to enter the evening sky',
          content: `<p>Comet Tsuchinshan–ATLAS, which had passed the Sun on 27 September, was to come nearest to the Earth on 12 October, at about 71 million kilometres, and to appear after sunset low in the west. It would climb and fade from night to night. Observatories in China and South Africa had found it in early 2023. If it ever came by before, it was some eighty thousand years ago.</p>
<p>Nobody had been certain that it would survive. In July an experienced observer had written that it was breaking up; it passed the Sun, about as near to it as Mercury, in one piece. No instrument is needed to see it, though binoculars help with the tail.</p>`,
          source: 'https://en.wikipedia.org/wiki/C/2023_A3_(Tsuchinshan%E2%80%93ATLAS)',
          picture: { drawing: 'comet.svg', title: 'Look to the west, an hour after sunset', text: credit },
        },
        {
          title: 'Two Indian elections, two outcomes',
          content: `<p>Votes were counted on 8 October in Haryana and in Jammu and Kashmir. In the first the Bharatiya Janata Party won 48 of 90 seats and a third term, which the surveys had not foreseen. In the second an alliance of the National Conference and the Congress won, and Omar Abdullah was to become chief minister. It was the first election to an assembly there in ten years, and the first since the region lost its statehood in 2019.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Haryana_Legislative_Assembly_election',
        },
        {
          title: 'Britain agreed to hand the Chagos Islands to Mauritius',
          content: `<p>Under an agreement announced on 3 October sovereignty over the archipelago in the Indian Ocean was to pass to Mauritius, while the British and American base on Diego Garcia would remain for an initial ninety-nine years. A treaty had yet to be signed.</p>
<p>The islands were parted from Mauritius in 1965, before its independence, and all of their people, between fifteen hundred and two thousand, were removed by 1973. In 2019 the <a href="https://www.icj-cij.org/">International Court of Justice</a> advised that Britain was bound to end its rule. Mauritius would be free to resettle the outer islands, though not Diego Garcia. Some Chagossians welcomed it; others said that once more they had not been asked.</p>`,
          source: 'https://en.wikipedia.org/wiki/Chagos_Archipelago_sovereignty_dispute',
        },
        {
          title: 'Tunisia’s president was returned by nine voters in ten, of the few who voted',
          content: `<p>The election authority declared on 7 October that Kais Saied had been elected for a second term with 90.7 per cent. Fewer than three in ten of those entitled had gone to the polls the day before. Most of his rivals had been kept from standing; one of the two who remained was in prison.</p>`,
          source: 'https://en.wikipedia.org/wiki/2024_Tunisian_presidential_election',
        },
      ],
    },
  ],
}
