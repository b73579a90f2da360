import type { SearchText } from '@tidings/contracts/search'
import { expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { searchTest } from '#test/search.ts'

const it = searchTest({ working: false })
  /** Stores the HTML of a published memo as it is, also what an editor can't write. Returns the memo's id. */
  .extend('store', { scope: 'file' }, async ({ site }) => {
    const { edition } = await publishedEdition(site.context, '11-20-26-10AM', 0)
    let position = 0
    return async (content: string, title = 'Memo', language = ''): Promise<string> => {
      position += 1
      const data = { editionId: edition.id, position, title, content, language }
      return (await site.context.database.db.memo.create({ data })).id
    }
  })

/** Texts with the words that find them, and words that don't. */
const texts = [
  // Signs beside words.
  [
    '<p>The dam…burst, 40&nbsp;turbines—all</p>',
    ['burst', 'dam burst', '40 turbines', 'turbines all'],
    ['damburst'],
  ],
  [
    '<p>A 40\u00a0kilo\u202fbear “growled” once</p>',
    ['kilo bear', 'growled', 'growled once', '"kilo bear"'],
    [],
  ],
  ['<p>«Liberté», ‹Égalité›; „Brüderlichkeit“</p>', ['liberte', 'egalite', 'Brüderlichkeit'], []],
  ['<p>and/or km/h either/neither</p>', ['neither', 'either', 'km/h'], []],
  ['<p>Season 2019-20, cell 0170-5551234</p>', ['20', '2019-20', '5551234', 'season 20'], ['201920']],
  [
    '<p>Write info@zebra.example.com, see https://quagga.example.net/okapi_page?x=1</p>',
    ['zebra', 'info@zebra.example.com', 'quagga', 'okapi', 'quagga.example.net/okapi'],
    [],
  ],
  [
    '<p>On 26.11.2026 at 2.8 percent, 192.0.2.17</p>',
    ['2026', '26.11.2026', '2.8 percent', '2,8', '192.0.2.17'],
    ['262026'],
  ],
  ['<p>The end.Nextword</p>', ['nextword', 'end nextword'], []],
  [
    '<p>A well-known twenty‑five</p>',
    ['well known', 'well-known', 'known', 'twenty-five', 'twenty five'],
    ['wellknown'],
  ],
  [
    '<p>rock’n’roll l’orange d\u02bcArtagnan</p>',
    ["l'orange", 'orange', 'l’orange', "d'Artagnan", 'dʼArtagnan', '"rock n roll"'],
    [],
  ],
  [
    '<p>a&lt;walrus&gt;b &amp;narwhal; &quot;dugong&quot;</p>',
    ['walrus', 'narwhal', 'dugong'],
    ['amp', 'quot'],
  ],
  ['<p>14\f12,400</p>', ['14 12,400'], ['1412']],
  // Tags.
  ['<p>Wor<b>d</b>smith</p><p>one</p><p>two</p>', ['wordsmith', '"one two"'], ['onetwo']],
  ['<table><tr><td>axolotl</td><td>newt</td></tr></table>a<br>b', ['axolotl', 'newt'], ['axolotlnewt']],
  ['<p><a href="https://hidden.example/secretword">Link</a></p>', ['link'], ['secretword', 'href']],
  ['<p>5 × 10<sup>6</sup> and 3<sup>−2</sup></p>', ['10', '"5 × 10⁶"', '10⁶'], ['106', '32']],
  [
    '<p>CO<sub>2</sub> and H<sub>2</sub>SO<sub>4</sub></p>',
    ['co2', 'CO₂', 'H2SO4', 'h₂so₄', 'co2 h2so4'],
    ['co 4'],
  ],
  ['<p>H₂O</p>', ['h2o', 'H₂O'], []],
  ['<p>NO2</p>', ['NO₂', 'no2'], []],
  ['<p>40 m² and 5 km<sup>3</sup></p>', ['m2', 'm²', '40 m2', 'km3', '5 km³'], ['402']],
  [
    '<p>The footnote<sup>1</sup> and le XX<sup>e</sup>, 1<sup>er</sup>, 20<sup>th</sup></p>',
    ['footnote', 'XXe', '1er', '20th'],
    [],
  ],
  [
    '<p><s>12</s><ins>14</ins> tons, <s>35</s> <ins>36</ins>, <s>red</s> blue</p>',
    ['14', '36', 'red blue'],
    ['12', '35', '1214'],
  ],
  [
    '<p><s>a <b>77</b></s><ins>78</ins> <s>b</s> 79 <s>80</s><ins>81</ins></p>',
    ['78', '79', '81'],
    ['77', '80'],
  ],
  // Accents and letters.
  [
    '<p>São Paulo, Łukasz, naïve, nai\u0308vete\u0301</p>',
    ['Sao Paulo', 'São', 'Sáo', 'lukasz', 'naive', 'naïve', 'nai\u0308ve', 'naivete'],
    [],
  ],
  [
    '<p>Straße, Smørrebrød, Œuvre, Þór, Đà Nẵng, İzmir, ŁÓDŹ</p>',
    ['strasse', 'STRASSE', 'smorrebrod', 'oeuvre', 'thor', 'da nang', 'izmir', 'lodz'],
    [],
  ],
  ['<p>Αθήνα, ΑΘΉΝΑΣ</p>', ['αθηνα', 'Αθήνα', 'αθηνας'], []],
  ['<p>Ещё зелёный Толстой</p>', ['еще', 'зеленый', 'толстой'], []],
  ['<p>كِتَابٌ، שָׁלוֹם</p>', ['كتاب', 'שלום'], []],
  ['<p>می\u200cخواهم</p>', ['می\u200cخواهم', 'میخواهم'], []],
  ['<p>हिन्दी में क़लम</p>', ['हिन्दी', 'क़लम'], ['हनद']],
  ['<p>Donau\u00addampf\u200bschiff</p>', ['donaudampfschiff'], []],
  ['<p>ＡＢＣ１２３ ﻿wide</p>', ['abc123', 'ＡＢＣ１２３', 'wide'], []],
  // Scripts without spaces.
  [
    '<p>東京都知事は2026年度の予算を発表した。</p>',
    [
      '東京',
      '京都',
      '東京都',
      '知事',
      '予算',
      '2026年',
      '年度',
      '東',
      '発表した',
      '東京 予算',
      '「東京都知事」',
      '"東京都 知事"',
    ],
    ['東都', '大阪', '東京市', '京東'],
  ],
  ['<p>東京の京都</p>', ['東京', '京都', '東京の京都'], ['東京都']],
  ['<p>カタカナとひらがな、𠮷野家</p>', ['カタカナ', 'タカ', 'ひら', '𠮷野', '野家'], ['タナ']],
  ['<p>北京市人民政府</p>', ['北京', '人民', '人民政府', '京市人'], ['北民']],
  ['<p>서울특별시에서 열렸다</p>', ['서울', '특별', '서울특별시', '열렸다'], ['서별']],
  ['<p>ประเทศไทยและกรุงเทพมหานคร</p>', ['ไทย', 'ประเทศ', 'กรุงเทพ'], ['ไทยกรุง']],
] as const

it.for(texts)('finds %s by its words', async ([html, found, notFound], { store, search }) => {
  const id = await store(html)
  const finds = async (q: string) => {
    const { data, similar } = await search({ q })
    return !similar && data.some(({ _id }) => _id === id)
  }
  for (const q of found) expect([q, await finds(q)]).toEqual([q, true])
  for (const q of notFound) expect([q, await finds(q)]).toEqual([q, false])
})

it.for([
  ['fr', '<p>Les motions sont votées.</p>', ['voter', 'votee', 'votées', 'motion'], ['l’été']],
  ['es', '<p>Las canciones y la canción.</p>', ['cancion', 'canción', 'canciones'], []],
  ['de', '<p>Die Häuser, die Straßen.</p>', ['Haus', 'hauser', 'Strasse', 'straße'], []],
  ['ru', '<p>Которого нашли в зелёном лесу.</p>', ['который', 'зеленый', 'зелёный'], []],
  ['tr', '<p>Kitapları okudum, ışık.</p>', ['kitap', 'isik'], []],
  ['vi', '<p>Việt Nam độc lập</p>', ['viet nam', 'doc lap', 'Việt'], []],
] as const)(
  'knows the grammar of %s with and without accents',
  async ([language, html, found], { store, search }) => {
    const id = await store(html, 'Memo', language)
    for (const q of found) {
      const { data, similar } = await search({ q })
      expect([q, !similar && data.some(({ _id }) => _id === id)]).toEqual([q, true])
    }
  },
)

it.for([
  ['“purple lighthouse keeper”', true],
  ['„lighthouse keeper“', true],
  ['«purple lighthouse»', true],
  ['“purple keeper”', false],
  ['purple −keeper', false],
  ['purple –“lighthouse keeper”', false],
  ['purple – keeper', true],
  ['purple —', true],
  ['purple -sao', false],
  ['purple −São', false],
] as const)('understands %s', async ([q, isFound], { store, search }) => {
  const id = await store('<p>A purple lighthouse keeper of São Tomé.</p>')
  const { data, similar } = await search({ q })
  expect(!similar && data.some(({ _id }) => _id === id)).toBe(isFound)
})

it.for([
  ['Sao Paulo', 'São Paulo grows', ['São', 'Paulo']],
  ['naive', 'A nai\u0308ve plan', ['nai\u0308ve']],
  ['strasse', 'Die Straße dort', ['Straße']],
  ['co2', 'Less CO₂ in air', ['CO₂']],
  ['京都', '東京都知事', ['京都']],
  ['東京都', '大東京都の東京', ['東京都', '東京']],
  ['1er', 'Le 1^(er) mai', ['1^(er)']],
  ['km2', 'Nur 5 km² dort', ['km²']],
  ['كتاب', 'هذا كِتَاب', ['كِتَاب']],
  ['lighthouse', 'A “lighthouse”—old', ['lighthouse']],
  ['donaudampf', 'Die Donau\u00addampf dort', ['Donau\u00addampf']],
] as const)('marks %s in %s as it was written', async ([q, text, marked], { store, search }) => {
  const id = await store(
    `<p>Es begann einmal anders. ${'Nichts davon. '.repeat(40)}</p><p>${text}.</p><p>${'Nichts mehr. '.repeat(40)}</p>`,
    text,
  )
  const found = (await search({ q })).data.find(({ _id }) => _id === id)
  const matching = (parts: SearchText) => parts.filter(({ match }) => match).map((part) => part.text)
  expect(found?.title.map((part) => part.text).join('')).toBe(text)
  expect(matching(found?.title ?? []).join('|')).toBe(marked.join('|'))
  expect(matching(found?.text ?? []).join('|')).toContain(marked.join('|'))
  expect(found?.text.map((part) => part.text).join('')).toContain(text)
  expect(found?.text[0]?.text).toMatch(/^… /)
})

it.for([
  ['Sao Paolo', 'São Paulo'],
  ['Lukazs', 'Łukasz kommt'],
  ['Strase', 'Die Straße'],
] as const)('finds a title despite the typing error %s', async ([q, title], { store, search }) => {
  const id = await store('<p>x</p>', title)
  const { data, similar } = await search({ q })
  expect([similar, data.map(({ _id }) => _id)]).toEqual([true, expect.arrayContaining([id])])
  expect((await search({ q: `“${q}”` })).data).toEqual([])
})
