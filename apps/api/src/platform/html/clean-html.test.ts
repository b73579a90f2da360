import { describe, expect, it } from 'vitest'
import { cleanHtml, listRemoved } from './clean-html.ts'

describe('cleanHtml', () => {
  it.each([
    ['paragraphs and line ends', '<p>One<br>two</p><hr>'],
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
      '<table><tbody><tr><td>14</td><td>12,400</td></tr></tbody></table>',
    ],
    ['cells without a table apart', '<td>14</td><td>12,400</td>', '<p>14</p><p>12,400</p>'],
    [
      'cells of a table in a table apart',
      '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
      '<table><tbody><tr><td><p>a</p><p>b</p></td></tr></tbody></table>',
    ],
    [
      'two divisions apart',
      '<div>First sentence.</div><div>Second sentence.</div>',
      '<p>First sentence.</p><p>Second sentence.</p>',
    ],
    ['divisions in divisions apart', '<div><div>a</div>b<div>c</div></div>', '<p>a</p><p>b</p><p>c</p>'],
    ['paragraphs in a division apart', '<section><p>a</p><p>b</p></section>', '<p>a</p><p>b</p>'],
    ['terms and their meanings apart', '<dl><dt>a</dt><dd>b</dd></dl>', '<p>a</p><p>b</p>'],
    ['a picture and its caption apart', '<figure>a<figcaption>b</figcaption></figure>c', '<p>a</p><p>b</p>c'],
    [
      'words whose tags go',
      '<p><span>a</span></p><p><a>b</a></p><p><font>c</font></p>',
      '<p>a</p><p>b</p><p>c</p>',
    ],
    ['divisions in emphasis apart', '<b><div>a</div><div>b</div></b>', '<p><b>a</b></p><p><b>b</b></p>'],
    [
      'paragraphs apart, without the empty ones',
      '<p>a</p><p>&nbsp;</p><p><br></p><p>b</p>',
      '<p>a</p><p>b</p>',
    ],
  ])('keeps %s', (_name, dirty, clean) => {
    expect(cleanHtml(dirty)).toBe(clean)
  })

  it.each([
    [
      'text after an empty span',
      '<p><span>one</span> and <strong>two</strong> and the rest.</p>',
      '<p>one and <strong>two</strong> and the rest.</p>',
    ],
    [
      'text after a link without an address',
      '<p><a href="#a">One</a> and <a href="https://example.com/">two</a> and the rest.</p>',
      '<p>One and <a href="https://example.com/" rel="noopener noreferrer" target="_blank">two</a> and the rest.</p>',
    ],
    [
      'a paragraph after a span and a heading',
      '<section><span>By Ann</span><h2>Title</h2><p>Body.</p></section>',
      '<p>By Ann</p><h2>Title</h2><p>Body.</p>',
    ],
    [
      'emphasis in a later paragraph',
      '<p><a href="/x">One</a></p><p>Two</p><p>Three <em>four</em> five</p>',
      '<p>One</p><p>Two</p><p>Three <em>four</em> five</p>',
    ],
    [
      'words after an empty row of a table',
      '<p>a</p><table><tr><td> </td></tr></table><p>b</p>',
      '<p>a</p><p>b</p>',
    ],
    ['words of a division in a heading', '<h1>Title<div>Sub</div></h1>', '<h2>Title<br>Sub</h2>'],
    ['words around an empty paragraph', 'a<p><br></p>b', 'a<br>b'],
    ['words around a removed block', '<li>a<section><img></section>b</li>', '<li>a<br>b</li>'],
    ['words of a heading in a heading', '<h2>a<section><h3>b</h3></section>c</h2>', '<h2>a<br>b<br>c</h2>'],
    [
      'words of a list in a paragraph',
      '<p><b>a<button><ul><li>b</li></ul></button>c</b></p>',
      '<p><b>a</b></p><ul><li><b>b</b></li></ul><p><b>c</b></p>',
    ],
    [
      'words of a link in a link',
      '<a href="https://a.test/">a<table><tr><td><a href="https://b.test/">b</a></td></tr></table></a>',
      '<a href="https://a.test/" rel="noopener noreferrer" target="_blank">a</a><table><tbody><tr><td><a href="https://b.test/" rel="noopener noreferrer" target="_blank">b</a></td></tr></tbody></table>',
    ],
    ['lines of preformatted text', '<pre>one\n  two\nthree</pre>', '<p>one<br>\u00a0\u00a0two<br>three</p>'],
    [
      'numbers beside a control character',
      '<p>14\f12,400</p><p>14&#12;12,400</p>',
      '<p>14 12,400</p><p>14 12,400</p>',
    ],
    [
      'the language of a removed element',
      '<div lang="fr"><p>mot</p></div><font lang="de">Wort</font>',
      '<p lang="fr">mot</p><span lang="de">Wort</span>',
    ],
    [
      'words after a tag that was typed',
      '<p>The <title> of this page, and <textarea> too</p>',
      '<p>The &lt;title&gt; of this page, and &lt;textarea&gt; too</p>',
    ],
    [
      'joiners of emoji and of Persian and Hindi words',
      '<p>👩‍👩‍👧 می‌خواهم क्‍ष</p>',
      '<p>👩‍👩‍👧 می‌خواهم क्‍ष</p>',
    ],
    [
      'numbers of lists',
      '<ol start="4" type="a"><li>a</li><li value="9">b</li></ol><ol start="x"><li>c</li></ol>',
      '<ol start="4" type="a"><li>a</li><li value="9">b</li></ol><ol><li>c</li></ol>',
    ],
    ['an insertion', '<p><del>12</del><ins cite="x">14</ins></p>', '<p><s>12</s><ins>14</ins></p>'],
  ])('leaves %s where they were', (_name, dirty, clean) => {
    expect(cleanHtml(dirty)).toBe(clean)
  })

  it('keeps a simple table and limits its spans', () => {
    const table =
      '<table><caption>Rain</caption><thead><tr><th scope="col" colspan="2">City</th></tr></thead>' +
      '<tbody><tr><th scope="row">Oslo</th><td rowspan="2">763 mm</td></tr></tbody></table>'
    expect(cleanHtml(table)).toBe(table)
    expect(cleanHtml('<table><tr><td colspan="9999" width="3">a</td></tr></table>')).toBe(
      '<table><tbody><tr><td>a</td></tr></tbody></table>',
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
      'onclick',
      '<script>',
      '<svg>',
      'link without an http, https or mailto address',
      '<img>',
    ])
  })

  it.each([
    ['<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>', 'table in a table'],
    [`${'<b>'.repeat(31)}a`, 'nesting of more than 30 levels'],
    ['<ol type="x" reversed><li>a</li></ol>', 'type,reversed'],
    ['<p>a <mark>b</mark></p>', '<mark>'],
    ['<p>a <input value="b"></p>', '<input>'],
  ])('names what %s loses', (dirty, lost) => {
    expect(listRemoved(dirty).join()).toBe(lost)
  })

  it('lists nothing for kept tags or tags converted to paragraphs', () => {
    expect(
      listRemoved(
        '<div lang="fr"><h1>a</h1><table><tr><td colspan="2">b</td></tr></table></div><abbr title="c">d</abbr>',
      ),
    ).toEqual([])
  })
})
