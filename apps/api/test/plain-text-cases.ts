/** Pieces of HTML, each with its text without markup. */
export const plainTextCases: readonly { html: string; text: string }[] = [
  {
    html: '<h2>One</h2><p>two<br>three</p><ul><li>four</li><li>five</li></ul>',
    text: 'One\ntwo\nthree\nfour\nfive',
  },
  { html: '<p>  one \n two&nbsp;&nbsp;three </p>\n\n<p> </p>', text: 'one two three' },
  { html: 'Fish &amp; chips &amp;lt;now&amp;gt; 3 &lt; 4', text: 'Fish & chips &lt;now&gt; 3 < 4' },
  {
    html: '<style>p{}</style><p>one <a href="https://a.test/">two</a></p><script>x</script>',
    text: 'one two',
  },
  { html: '<p>Wor<b>d</b> and <i>wor</i><u>d</u></p>', text: 'Word and word' },
  { html: '<div>a</div><div>b</div>c<section>d</section>e', text: 'a\nb\nc\nd\ne' },
  // Raised and lowered letters.
  { html: '<p>5 × 10<sup>6</sup></p>', text: '5 × 10⁶' },
  { html: '<p>10<sup>-19</sup> and 10<sup>−3</sup></p>', text: '10⁻¹⁹ and 10⁻³' },
  { html: '<p>x<sup>n+1</sup></p>', text: 'x^(n+1)' },
  { html: '<p>x<sup><b>2</b></sup> m<sup> 2</sup></p>', text: 'x² m ²' },
  {
    html: '<p>Ca<sup>2+</sup>, H<sub>2</sub>O, x<sub>max</sub>, a<sub>1</sub></p>',
    text: 'Ca²⁺, H₂O, x_(max), a₁',
  },
  { html: '<p>2<sup>x<sup>2</sup></sup>a<sup></sup></p>', text: '2^(x²)a' },
  // Struck and inserted words.
  { html: '<p><del>12</del><ins>14</ins></p>', text: '14' },
  { html: '<p>It costs <s>12</s> <ins>14</ins> euros.</p>', text: 'It costs 14 euros.' },
  { html: '<p><b><s>12</s></b> <i><ins>14</ins></i></p>', text: '14' },
  { html: '<p><s>12</s> <em><s>13</s></em> <ins>14</ins></p>', text: '14' },
  { html: '<p>It costs <s>12</s> euros.</p>', text: 'It costs [struck: 12] euros.' },
  { html: '<p><s>12</s> or <ins>14</ins></p>', text: '[struck: 12] or 14' },
  { html: '<p><s>a</s></p><p><ins>b</ins></p>', text: '[struck: a]\nb' },
  // Lists.
  { html: '<ol><li>one</li><li>two</li></ol>', text: '1. one\n2. two' },
  {
    html: '<ol start="4"><li>four</li><li value="7">seven</li><li>eight</li></ol>',
    text: '4. four\n7. seven\n8. eight',
  },
  {
    html: '<ol><li><p>one</p><p>more</p></li><li>two<ol><li>inner</li></ol></li></ol>',
    text: '1. one\nmore\n2. two\n1. inner',
  },
  { html: '<ol type="a" start="26"><li>one</li><li>two</li></ol>', text: 'z. one\naa. two' },
  { html: '<ol type="I" start="4"><li>one</li><li value="0">two</li></ol>', text: 'IV. one\n0. two' },
  // Tables.
  {
    html: '<table><caption>Rain</caption><tr><td>14</td><td>12,400</td></tr><tr><td>15</td></tr></table>',
    text: 'Rain\n14 | 12,400\n15',
  },
  {
    html: '<table><tr><td>a<br>b</td><td></td><td><ol><li>c</li></ol></td></tr></table>',
    text: 'a b | | 1. c',
  },
  // Readings beside their words.
  { html: '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>', text: '漢(kan)字(ji)' },
  { html: '<p>14\f12,400</p>', text: '14 12,400' },
]
