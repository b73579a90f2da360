import type { SeedArticle } from '../types.ts'

/** How the ozone layer was nearly lost, and the treaty that is mending it. */
export const montrealProtocol: SeedArticle = {
  title: 'The treaty that worked: how the ozone layer was mended',
  content: `<p>If all the ozone above our heads were brought down to the ground, at the pressure that prevails there, it would make a layer about three millimetres thick. It is spread so thinly through the stratosphere, between some fifteen and thirty-five kilometres up, that even there only a few molecules in a million are ozone. They are enough to stop most of the ultraviolet light that would otherwise burn skin, cloud eyes and harm crops.</p>
<h2>A harmless gas</h2>
<p>In the 1920s refrigerators were cooled with substances that poisoned people when they leaked. The chemist Thomas Midgley and his colleagues found a better one. Chlorofluorocarbons, or CFCs, do not burn, do not smell, and harm nobody who breathes them; Midgley showed it by filling his lungs with the stuff and blowing out a candle. By 1970 they were everywhere, in refrigerators and air conditioning, in foam, and as the propellant in spray cans. They were so stable that nothing near the ground destroys them. It was natural to think of this as an advantage.</p>
<p>In 1974 <a href="https://www.nobelprize.org/prizes/chemistry/1995/summary/">Mario Molina and F. Sherwood Rowland</a>, at the University of California in Irvine, asked where they went. The answer was: up. High in the stratosphere hard sunlight breaks them apart and sets free chlorine, and one atom of chlorine can destroy many thousands of molecules of ozone before it is bound again. Rowland is said to have come home one evening and told his wife that the work was going well, but that it looked like the end of the world.</p>
<h2>A hole nobody had foreseen</h2>
<p>The theory spoke of a slow loss over decades. Industry called it speculation. The United States and a few other countries banned most spray cans with CFCs in the late 1970s, and there matters rested.</p>
<p>Then in May 1985 three scientists of the British Antarctic Survey, Joe Farman, Brian Gardiner and Jonathan Shanklin, published what an ageing instrument at Halley Bay had been telling them. Every southern spring the ozone above Antarctica now fell by more than a third, compared with what it had been up to the early 1970s. Satellites confirmed it once their data were looked at again. Susan Solomon, who led expeditions to McMurdo in 1986 and 1987, helped to show why there: in the cold of the polar night thin clouds of ice form, and on their surface chlorine is made ready for the return of the Sun.</p>
<h2>Twenty-four signatures</h2>
<p>A convention signed in Vienna in 1985 had bound its members to little more than research. The protocol that was added to it in Montreal, on 16 September 1987, had numbers: production of the main CFCs was to be cut by half before the end of the century. Twenty-four countries and the European Community signed. It was an unusual paper, for the evidence was not yet complete when it was agreed. What made it last was how it had been built:</p>
<ul>
<li><strong>It could be tightened.</strong> Panels of scientists and engineers report regularly, and the parties may speed up what they have already agreed without a new treaty. By 1990 the cut by half had become a full stop.</li>
<li><strong>It helped those who could not pay.</strong> Poorer countries were given some years longer, and a fund, set up in 1990, to change their factories.</li>
<li><strong>It left little reason to stay outside.</strong> Members may not trade the substances with others.</li>
<li><strong>It gave makers certainty.</strong> Once the end was fixed, firms competed to sell the replacement.</li>
</ul>
<p>It was also the first United Nations treaty to be ratified by every country in the world. Kofi Annan, then Secretary-General, called it</p>
<blockquote><p>perhaps the single most successful international agreement to date.</p></blockquote>
<h2>Healing, slowly</h2>
<p>Around ninety-nine per cent of the substances it controls are no longer made. But what has gone up comes down slowly, since some CFCs last for a century. The hole over Antarctica still opens each September, as large as a continent in a bad year; on average it is getting smaller. An <a href="https://ozone.unep.org/science/assessment/sap">assessment of 2022</a> expects the layer to be as it was in 1980 by about 2066 over the Antarctic, 2045 over the Arctic, and 2040 elsewhere.</p>
<p>Not all went smoothly. In 2018 measurements on mountains and islands showed that somebody was making CFC-11 again. The trail led largely to eastern China, to makers of foam; inspectors were sent, and within a couple of years the emissions had fallen back. It was a proof that the watching works.</p>
<h2>A second service</h2>
<p>CFCs are also powerful greenhouse gases. By stopping them the protocol has done more against warming than most agreements that were made for the purpose. The gases that took their place, the HFCs, spare the ozone but warm the air in their turn. At Kigali, in October 2016, the parties agreed to reduce these as well, which should avoid up to half a degree of warming by the end of this century.</p>
<p>It would be too simple to say that what was done for ozone can be done for carbon. A few dozen firms made CFCs, and there was something to put in their place; coal, oil and gas run through everything. Yet the story holds one lesson that needs no chemistry. The damage was understood, people agreed before they were certain, they checked, and they corrected themselves. The sky is answering.</p>`,
  picture: {
    drawing: 'atmosphere.svg',
    title: 'A layer thin enough to be lost',
    text: '<p>Drawing: Tidings</p>',
  },
}
