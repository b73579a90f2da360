import { Window } from 'happy-dom'
import { describe, expect, it } from 'vitest'
import { fromDom } from './from-dom.ts'
import { normalizePaste } from './normalize-paste.ts'
import { parseHtml, toHtml } from './testing/parse-html.ts'
import { balanceBidi } from './text/balance-bidi.ts'

function normalize(html: string, language = 'en'): string {
  return toHtml(normalizePaste(parseHtml(html), { language }))
}

function item(marker: string, text: string, level = 1): string {
  return `<p class=MsoListParagraph style="mso-list:l0 level${level} lfo1"><span style="mso-list:Ignore">${marker}<span>&nbsp; </span></span>${text}</p>`
}

describe('styles of text', () => {
  it.each([
    ['<span style="FONT-WEIGHT : Bold !important">a</span>', '<strong>a</strong>'],
    ['<span style="font-weight:600">a</span>', '<strong>a</strong>'],
    ['<span style="font-weight:500">a</span>', 'a'],
    ['<span style="font:italic bold 12px/1.2 Arial">a</span>', '<strong><em>a</em></strong>'],
    ['<span style="text-decoration-line:underline line-through">a</span>', '<s><u>a</u></s>'],
    ['<b style="font-weight:400">a</b>', 'a'],
    ['<i>a <span style="font-style:normal">b</span></i>', '<em>a </em>b'],
    ['<h2><span style="font-weight:700">a</span></h2>', '<h2>a</h2>'],
    [
      '<div style="font-weight:bold"><p>a</p><p>b</p></div>',
      '<div><p><strong>a</strong></p><p><strong>b</strong></p></div>',
    ],
    ['<p>a<span style="display:none">b</span><span style="visibility:hidden">c</span></p>', '<p>a</p>'],
    ['<style>.x{font-style:italic}</style><p><span class="x">a</span></p>', '<p><em>a</em></p>'],
  ])('%s', (html, expected) => {
    expect(normalize(html)).toBe(expected)
  })
})

describe('markers of Word', () => {
  it.each([
    [item('4.', 'a') + item('5.', 'b'), '<ol start="4"><li>a</li><li>b</li></ol>'],
    [item('1.', 'a') + item('3.', 'b'), '<ol><li>a</li><li value="3">b</li></ol>'],
    [item('iv.', 'a') + item('v.', 'b'), '<ol start="4" type="i"><li>a</li><li>b</li></ol>'],
    [item('h)', 'a') + item('i)', 'b'), '<ol start="8" type="a"><li>a</li><li>b</li></ol>'],
    [item('§', 'a') + item('o', 'b', 3), '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    [item('Article 4.', 'a'), '<p>Article 4. a</p>'],
  ])('%s', (html, expected) => {
    expect(normalize(html)).toBe(expected)
  })
})

describe('parts', () => {
  it.each([
    ['<p><q>a <q>b</q></q></p>', 'fr', '<p>«\u202fa «\u202fb\u202f»\u202f»</p>'],
    ['<p lang="de"><q>a</q></p>', 'en', '<p lang="de">„a“</p>'],
    ['<p><img alt="👩‍👩‍👧"><img alt="Sun"></p>', 'en', '<p>👩‍👩‍👧<img alt="Sun"></p>'],
    [
      '<a href="https://www.google.com/url?q=https://a.test/?x%3D1&amp;sa=D">a</a>',
      'en',
      '<a href="https://a.test/?x=1">a</a>',
    ],
    [
      '<a href="https://a.test/url?q=https://b.test/">a</a>',
      'en',
      '<a href="https://a.test/url?q=https://b.test/">a</a>',
    ],
    ['<p>a\u202eb<b>c\u202c</b></p><p>d\u202e</p>', 'en', '<p>a\u202eb<b>c\u202c</b></p><p>d</p>'],
  ])('%s', (html, language, expected) => {
    expect(normalize(html, language).replaceAll('&nbsp;', '\u00a0')).toBe(expected)
  })
})

it.each([
  ['a\u202eb', 'ab'],
  ['a\u202ab\u202c', 'a\u202ab\u202c'],
  ['\u2067a\u202eb\u2069c\u202c', '\u2067ab\u2069c'],
  ['a\u2069\u202cb\u200e', 'ab\u200e'],
])('directions without an end are removed from %j', (text, balanced) => {
  expect(balanceBidi(text)).toBe(balanced)
})

it('a node of the DOM becomes the tree that a parser makes', () => {
  const html = '<p class="x">a<!--b--><b>c</b></p>'
  const { document } = new Window()
  document.body.innerHTML = html
  expect(fromDom(document.body)).toEqual(parseHtml(html))
})
