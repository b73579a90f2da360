import type { SeedArticle } from '../types.ts'

/** How a steel box of fixed measures changed the price of distance. */
export const standardContainer: SeedArticle = {
  title: 'Eight feet wide: the box that made the world smaller',
  content: `<p>On 26 April 1956 a crane in Port Newark, New Jersey, lifted fifty-eight aluminium boxes one after another on to the deck of an old tanker, the <em>Ideal-X</em>. It took less than eight hours. Six days later they were put down again in Houston, on to fifty-eight lorries, and driven away. Nobody had touched what was in them.</p>
<p>The man who paid for the voyage, Malcom McLean, was not a sailor. He had built up one of the larger road hauliers of the United States from a single second-hand truck, and what he disliked was waiting.</p>
<h2>The price of handling</h2>
<p>Until then a cargo ship was loaded as it had been for centuries. Sacks, barrels, crates and bales came to the quay one by one and were stowed by gangs of men who knew how to fit a hold so that it would not shift in a storm. A vessel could easily spend as long in port as at sea. Coffee was spilled, whisky disappeared, and people were hurt.</p>
<p>It was worked out that loading loose freight on a ship of middling size had cost 5.83 dollars a ton in 1956. For the <em>Ideal-X</em> it came to less than sixteen cents. Marc Levinson, who has written the history of the container, made that comparison famous. It explains nearly all that followed.</p>
<h2>The dull part, which mattered most</h2>
<p>Boxes as such were nothing new. Railways and armies had used them for decades, in all sizes, and because no two systems fitted together they saved little. An invention was needed less than an agreement.</p>
<p>The talks began in 1958 and lasted for most of a decade. Everybody had already bought something. McLean’s boxes were thirty-five feet long, since that was what the roads of the eastern states permitted. A line in the Pacific used twenty-four feet. Europeans measured in metres. Committees debated the walls, the doors, the strength of the corner posts, and above all the <strong>corner fitting</strong>, the hollow steel casting by which a box is lifted, and locked to the one below it. In the end McLean’s firm gave up its patent on the fitting and lock, so that anyone might build upon it.</p>
<p>What came out as international standards between 1968 and 1970 is what we see today:</p>
<ul>
<li>a width of eight feet, because that is what a road can take;</li>
<li>a length of twenty or forty feet, so that two short ones sit where one long one would;</li>
<li>a height of eight and a half feet as a rule, and nine and a half for the “high cube” that came later;</li>
<li>a casting with the same holes at each of the eight corners.</li>
</ul>
<p>Capacity is still counted in <em>twenty-foot equivalent units</em>. A ship of the largest kind carries more than twenty-four thousand of them, <a href="https://en.wikipedia.org/wiki/List_of_largest_container_ships">four hundred metres from end to end</a>, with a crew of about two dozen.</p>
<h2>Ports that came, ports that went</h2>
<p>A box needs a wide yard, a deep channel, a motorway and a railway. It has no need of a warehouse by the water, nor of a neighbourhood of dockers. The piers of Manhattan and the docks of London emptied within some fifteen years. Felixstowe, a small harbour on the English coast with almost no trade and no old agreements, became the largest container port in Britain. Rotterdam, Singapore and Busan, which built early, grew great.</p>
<p>For the dockers it was the end of a trade. On the American Pacific coast their union, led by Harry Bridges, made a bargain in 1960: machines were let in, and those already on the rolls were promised that they would not be laid off, or were given an early pension. Elsewhere it went harder, with strikes that lasted for months.</p>
<p>The war in Vietnam gave the decisive push. The American army could not unload its supplies quickly enough, and from 1967 McLean’s ships carried them in boxes to Cam Ranh Bay. They would have sailed home empty. He had them call in Japan instead, whose makers of radios and television sets were looking for a cheap way to the customer.</p>
<h2>What distance costs now</h2>
<p>Levinson’s sentence about all this is as plain as its subject:</p>
<blockquote><p>The container made shipping cheap, and by doing so changed the shape of the world economy.</p></blockquote>
<p>For many goods the voyage from one side of the Earth to the other has become a matter of cents apiece. So factories could move to wherever work was cheaper, and a product could be put together from parts that had crossed several seas. That has raised hundreds of millions of people out of poverty in Asia, and taken the living from towns elsewhere. In the spring of 2021, when a single ship lay across the <a href="https://en.wikipedia.org/wiki/2021_Suez_Canal_obstruction">Suez Canal</a> for six days, many learned for the first time how much of what they own had come to them in a box.</p>
<p>McLean died in May 2001. On the morning of his funeral container ships in ports around the world sounded their horns.</p>`,
  picture: {
    drawing: 'container-ship.svg',
    title: 'Every colour, two lengths, one kind of corner',
    text: '<p>Drawing: Tidings</p>',
  },
}
