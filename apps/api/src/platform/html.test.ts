import { describe, expect, it } from 'vitest'
import { cleanHtml, listRemoved, plainText } from './html.ts'

describe('cleanHtml', () => {
  it.each([
    ['paragraphs and line ends', '<p>One<br />two</p><hr />'],
    ['headings', '<h2>One</h2><h3>Two</h3>'],
    ['lists', '<ul><li>a</li></ul><ol><li>b</li></ol>'],
    ['emphasis', '<strong>a</strong><b>b</b><em>c</em><i>d</i><u>e</u><s>f</s>'],
    [
      'quotations, code and small letters',
      '<blockquote>a</blockquote><code>b</code>H<sub>2</sub>O<sup>3</sup>',
    ],
    ['abbreviations', '<abbr title="World Health Organization">WHO</abbr>'],
    ['mail addresses', '<a href="mailto:desk@tidings.test">a</a>'],
    ['letters of every script', '<p>Ærø, 東京, שלום, 🙂</p>'],
  ])('keeps %s', (_name, html) => {
    expect(cleanHtml(html)).toBe(html)
  })

  it.each([
    [
      'cells of a table apart',
      '<table><tr><td>14</td><td>12,400</td></tr></table>',
      '<table><tr><td>14</td><td>12,400</td></tr></table>',
    ],
    ['cells without a table apart', '<td>14</td><td>12,400</td>', '<p>14</p><p>12,400</p>'],
    [
      'cells of a table in a table apart',
      '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
      '<table><tr><td><p>a</p><p>b</p></td></tr></table>',
    ],
    [
      'two divisions apart',
      '<div>First sentence.</div><div>Second sentence.</div>',
      '<p>First sentence.</p><p>Second sentence.</p>',
    ],
    ['divisions in divisions apart', '<div><div>a</div>b<div>c</div></div>', '<p>a</p>b<p>c</p>'],
    ['paragraphs in a division apart', '<section><p>a</p><p>b</p></section>', '<p>a</p><p>b</p>'],
    ['terms and their meanings apart', '<dl><dt>a</dt><dd>b</dd></dl>', '<p>a</p><p>b</p>'],
    ['a picture and its caption apart', '<figure>a<figcaption>b</figcaption></figure>c', '<p>a</p><p>b</p>c'],
    [
      'words whose tags go',
      '<p><span>a</span></p><p><a>b</a></p><p><font>c</font></p>',
      '<p>a</p><p>b</p><p>c</p>',
    ],
    ['divisions in emphasis apart', '<b><div>a</div><div>b</div></b>', '<b><p>a</p><p>b</p></b>'],
    [
      'paragraphs apart, without the empty ones',
      '<p>a</p><p>&nbsp;</p><p><br></p><p>b</p>',
      '<p>a</p><p>b</p>',
    ],
  ])('keeps %s', (_name, dirty, clean) => {
    expect(cleanHtml(dirty)).toBe(clean)
  })

  it('keeps a simple table and limits its spans', () => {
    const table =
      '<table><caption>Rain</caption><thead><tr><th scope="col" colspan="2">City</th></tr></thead>' +
      '<tbody><tr><th scope="row">Oslo</th><td rowspan="2">763 mm</td></tr></tbody></table>'
    expect(cleanHtml(table)).toBe(table)
    expect(cleanHtml('<table><tr><td colspan="9999" width="3">a</td></tr></table>')).toBe(
      '<table><tr><td>a</td></tr></table>',
    )
  })

  it('keeps language and direction', () => {
    expect(cleanHtml('<div dir="rtl" lang="ar">مرحبا</div><p>a <span lang="fr">mot</span></p>')).toBe(
      '<p dir="rtl" lang="ar">مرحبا</p><p>a <span lang="fr">mot</span></p>',
    )
    expect(cleanHtml('<p dir="up" lang="x y">a <span class="b">c</span></p>')).toBe('<p>a c</p>')
  })

  it('opens links in a new tab without a referrer', () => {
    expect(cleanHtml('<a href="https://a.test/b?c=1&d=2#e">f</a>')).toBe(
      '<a href="https://a.test/b?c=1&amp;d=2#e" rel="noopener noreferrer" target="_blank">f</a>',
    )
  })

  it('converts headings to the two supported levels', () => {
    expect(cleanHtml('<h1>a</h1><h4>b</h4>')).toBe('<h2>a</h2><h3>b</h3>')
  })
})

describe('listRemoved', () => {
  it('lists each removed tag and attribute once, without the content of dropped elements', () => {
    const dirty =
      '<h1 style="color:red" onclick="x()">Head</h1><script>document.write("<b>")</script><svg><path d="x"/></svg>' +
      '<p style="x" dir="rtl">a <a href="javascript:x" class="c">b</a> <a href="https://a.test/" target="_top">c</a></p><img src="x">'

    expect(listRemoved(dirty)).toEqual([
      'style',
      'onclick',
      '<script>',
      '<svg>',
      'link without an http, https or mailto address',
      '<img>',
    ])
  })

  it('lists nothing for kept tags or tags converted to paragraphs', () => {
    expect(
      listRemoved(
        '<div lang="fr"><h1>a</h1><table><tr><td colspan="2">b</td></tr></table></div><abbr title="c">d</abbr>',
      ),
    ).toEqual([])
  })
})

describe('plainText', () => {
  it('writes each table row on a line with separated cells', () => {
    expect(plainText('<table><tr><td>14</td><td>12,400</td></tr><tr><td>15</td></tr></table>')).toBe(
      '14 12,400\n15',
    )
  })

  it('writes each block on its own line', () => {
    expect(plainText('<h2>One</h2><p>two<br>three</p><ul><li>four</li><li>five</li></ul>')).toBe(
      'One\ntwo\nthree\nfour\nfive',
    )
  })

  it('decodes entities once', () => {
    expect(plainText('Fish &amp; chips &amp;lt;now&amp;gt; 3 &lt; 4')).toBe('Fish & chips &lt;now&gt; 3 < 4')
  })

  it('collapses white space', () => {
    expect(plainText('<p>  one \n two&nbsp;&nbsp;three </p>\n\n<p> </p>')).toBe('one two three')
  })

  it('drops non-text elements', () => {
    expect(
      plainText('<style>p{}</style><p>one <a href="https://a.test/">two</a></p><script>x</script>'),
    ).toBe('one two')
  })
})
