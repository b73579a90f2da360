import type { SeedArticle } from '../types.ts'

/** How civil time came to be corrected by whole seconds, and why that is to end. */
export const leapSecond: SeedArticle = {
  title: 'The last leap second: how the world decided to let its clocks drift',
  content: `<p>On the evening of the last day of 2016 the clocks that keep the world’s time did something which no clock on a mantelpiece can do. After 23:59:59 they showed 23:59:60, and only then began the new year. It was the twenty-seventh leap second since 1972, and there may never be another.</p>
<h2>Two ways to measure a day</h2>
<p>For most of history a second was a fraction of a day: there were 86,400 of them from one noon to the next. That holds as long as the Earth turns evenly. It does not. The tides brake it a little, so that a day is longer by roughly two thousandths of a second than it was a century or so ago; and winds, melting ice and slow movements in the molten core make it now a little faster, now a little slower. Nobody can tell more than some months ahead.</p>
<p>Caesium atoms are steadier. In 1967 the <a href="https://www.bipm.org/en/si-base-units/second">second was defined anew</a>, as 9,192,631,770 periods of a certain radiation that they give off. The number was chosen to match the astronomers’ second, which itself rested on observations from the eighteenth and nineteenth centuries. So the new second was, from its first day, a trifle short for the present length of the day. The difference is next to nothing, but it is always there, and it adds up to about a second in a year or two.</p>
<h2>The bargain of 1972</h2>
<p>Something had to give. Physicists and engineers wanted seconds that are all alike. Sailors, who found their longitude by the stars, wanted a clock that followed the turning of the Earth. The answer was Coordinated Universal Time, UTC, in the form it has had since 1972. Its seconds are those of the atoms. Whenever it threatens to stray more than nine tenths of a second from the Earth, a second is added at the end of June or December. A service in Paris that watches the rotation of the Earth gives notice half a year before.</p>
<p>It was a handsome compromise, and it suited a world in which few machines knew the time to the second, and fewer still told each other.</p>
<h2>What a minute of sixty-one seconds does to a computer</h2>
<p>Most software counts the seconds since some date in the past and takes it for granted that every minute has sixty of them. It has no number for the sixty-first. At each leap second, therefore, programs must stop, repeat themselves or guess.</p>
<ul>
<li>On 30 June 2012 a fault in the way many servers handled the added second set them spinning at full load. Several well-known websites went down, and an airline’s check-in system failed in Australia.</li>
<li>On the first of January 2017 part of a large network company’s service answered wrongly, because one of its programs had measured a time below zero.</li>
<li>To be safe, big operators took to “smearing” the second: they slowed all their clocks a little for up to a day. Not all of them do so in the same way, and while it lasts they disagree.</li>
<li>The satellites of GPS never took part. Their time has run on without leaps since 1980 and is now eighteen seconds ahead of UTC.</li>
</ul>
<p>And the sailors? They had long since turned to those same satellites. Astronomers, who still need to know which way the Earth faces, look up the exact figure, which is published every day.</p>
<h2>A second that might have to be taken away</h2>
<p>Then the Earth surprised everyone. From about 2020 it turned faster than at any time in the atomic age, and some days were shorter than 86,400 seconds. Were that to go on, a second would one day have to be left out. The rules allow for such a <strong>negative leap second</strong>. It has never been tried, and hardly any program has been tested for it.</p>
<h2>The decision</h2>
<p>In November 2022 the <a href="https://www.bipm.org/en/committees/cg/cgpm">General Conference on Weights and Measures</a>, which meets near Paris every four years, resolved that the permitted difference should be raised, in or before 2035, to a value large enough to serve for at least a century. A conference of the telecommunication union, held in Dubai at the end of 2023, agreed. How large that value is to be was left for later. A minute would last for perhaps a century, an hour for many centuries.</p>
<p>What is being given up is a connection that few of us would miss. Civil time has not followed the Sun closely for a long while. Zones an hour wide and summer time put noon, in many towns, nearer to two o’clock than to twelve. Still, it is the first time that clocks are allowed to come loose from the sky, to be tied up again by people who have not yet been born. Augustine, sixteen hundred years ago, had a word for whoever finds that strange:</p>
<blockquote><p>What then is time? If no one asks me, I know; if I wish to explain it to one who asks, I do not know.</p></blockquote>
<p>The engineers would add that it need not be understood to be counted, so long as everyone counts alike.</p>`,
  picture: {
    drawing: 'clock.svg',
    title: 'The second in question, somewhat enlarged',
    text: '<p>Drawing: Tidings</p>',
  },
}
