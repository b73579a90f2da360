import type { SeedArticle } from '../types.ts'

/** The article about the Svalbard Global Seed Vault: its contents, its owners and how it works. */
export const seedVault: SeedArticle = {
  title: 'A cold room for the harvests of the world: inside the seed vault of Svalbard',
  content: `<p>A little above the airport of Longyearbyen, on the island of Spitsbergen, a narrow wedge of concrete stands out of the hillside. In the summer, when it never gets dark, the mirrors and steel on its roof and face throw back the Sun; through the winter fibre optics make them glow a pale green. Behind the door a tunnel of more than a hundred metres leads into the mountain, and at the end of it are three rooms. In one of them, at eighteen degrees below zero, stand the seeds.</p>
<h2>Why anyone would store seeds</h2>
<p>People have grown several thousand kinds of plants for food, but a handful provides most of what the world eats: rice, wheat and maize alone give about half of the calories that people take from plants. Of each kind farmers have bred thousands of varieties, for the soil of one valley or the taste of one town. Many are no longer sown, because a newer one yields more.</p>
<p>Yet it is from the old ones that breeders fetch what the new ones lack: the gene that stands up to a fungus, the root that reaches deeper in a drought. The Russian botanist Nikolai Vavilov understood this a century ago and gathered in Leningrad what was then the greatest collection on Earth. During the siege of that city in the Second World War several of its keepers died of hunger among sacks of rice and peas which they would not touch. Vavilov himself had died in one of Stalin’s prisons.</p>
<p>Today there are some 1,750 such collections, called gene banks. They lie in rich countries and poor ones, and things happen to them. A typhoon flooded the one in the Philippines in 2006. Those of Afghanistan and Iraq were lost to war and looting. Most losses are duller: a freezer fails, and there is no money to mend it.</p>
<h2>How it works</h2>
<p>The vault is a safe for the second copy. It was opened on 26 February 2008 and is run by three partners: the Norwegian state, which paid for the building and owns it; <a href="https://www.nordgen.org/">NordGen</a>, the gene bank of the Nordic countries; and the <a href="https://www.croptrust.org/">Crop Trust</a>, which helps poorer collections with the cost. The rules are few.</p>
<ul>
<li>Seeds stay the property of whoever deposits them. Norway owns the shelves and nothing that stands on them.</li>
<li>Only the depositor may take a box out, and no one else opens it.</li>
<li>Storage is free of charge.</li>
<li>Each sample is of about five hundred seeds, dried, and sealed in a packet of foil in several layers.</li>
<li>Only what is also kept elsewhere is accepted. It is a copy, not a museum.</li>
</ul>
<p>Three times a year or so the door is opened and boxes are carried in. By now there are well over 1.2 million samples, from nearly every country; some of the countries they came from no longer exist. Boxes from both Koreas stand in the same room.</p>
<h2>Why there</h2>
<p>Svalbard is remote and yet has an airport with regular flights. By the treaty of 1920 it may not be used for purposes of war. The rooms lie far above the highest level the sea could reach, were all the ice of the Earth to melt. And the rock is frozen throughout the year, at some three or four degrees below zero, so that the seeds would remain cold for a long time if the machines that cool them further were to stop.</p>
<p>The frost is less certain than the builders had thought. In October 2016, in a spell of unusual warmth and rain, water ran into the entrance of the tunnel and froze there. It came nowhere near the seeds, but the state had the tunnel rebuilt, made it watertight, and moved all that gives off heat to a house outside. Svalbard is among the places on Earth that are warming fastest.</p>
<h2>The first withdrawal</h2>
<p>It was expected that no one would need the vault for decades. It took seven years. The gene bank of ICARDA, a centre for farming in dry lands, stood near Aleppo in Syria, and held wheat, barley, lentils and chickpeas from the country where people first grew them. When war made the work there impossible its scientists asked in 2015 for their boxes back. They sowed the seed in Lebanon and Morocco, harvested, built up their collection, and from 2017 sent fresh copies north. All went as it should.</p>
<p>Cary Fowler, the American who had pressed for the vault from the beginning and who received the World Food Prize for it in 2024 together with the British botanist Geoffrey Hawtin, did not choose the name the newspapers had found, the “doomsday vault”. There is a line of Thoreau’s that fits it better:</p>
<blockquote><p>Convince me that you have a seed there, and I am prepared to expect wonders.</p></blockquote>
<p>It is less a place to wait for the end than one that spares us many small ones.</p>`,
  picture: {
    drawing: 'seed-vault.svg',
    title: 'The entrance in winter; the seeds lie more than a hundred metres behind it',
    text: '<p>Drawing: Tidings</p>',
  },
}
