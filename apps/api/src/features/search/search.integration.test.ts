import type { SearchReply, SearchText } from '@tidings/contracts/search'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { searchTest } from '#test/search.ts'

const it = searchTest()

const longAddress = `https://example.com/${'long-'.repeat(90)}path`
const filler = (sentences: number) => `<p>${'Nothing of note. '.repeat(sentences)}</p>`
const whole = (parts: SearchText) => parts.map(({ text }) => text).join('')
const matching = (parts: SearchText) => parts.filter(({ match }) => match).map(({ text }) => text)
const titlesOf = ({ data }: SearchReply) => data.map(({ title }) => whole(title))

describe('GET /edition/search', () => {
  it('requires the gate pass', async ({ site }) => {
    const reply = await site.app.inject('/edition/search?q=harbour')
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'gate-required' })
  })

  it.for([
    ['', 'invalid-request', 'q: must be given once, with the words to look for'],
    ['?q=', 'invalid-request', 'q: must not be empty'],
    ['?q=%20%20', 'invalid-request', 'q: must not be empty'],
    ['?q=a&q=b', 'invalid-request', 'q: must be given once, with the words to look for'],
    [`?q=${'a'.repeat(201)}`, 'invalid-request', 'q: must have 200 characters at most'],
    ['?q=a%00b', 'invalid-request', 'q: must not contain NUL or unpaired surrogates'],
    ['?q=a&from=02-30-26', 'invalid-date', 'This day doesn’t exist. Use MM-DD-YY, such as 11-20-26.'],
    ['?q=a&to=2026-11-20', 'invalid-date', 'This isn’t a date. Use MM-DD-YY, such as 11-20-26.'],
    ['?q=a&from=', 'invalid-date', 'This isn’t a date. Use MM-DD-YY, such as 11-20-26.'],
    ['?q=a&from=11-21-26&to=11-20-26', 'invalid-request', "from: must not be after 'to'"],
    ['?q=a&after=', 'invalid-request', "after: must be the 'next' of the page before"],
    ['?q=a&after=nonsense', 'invalid-request', "after: must be the 'next' of the page before"],
    ['?q=a&after=WzEsMiwzXQ', 'invalid-request', "after: must be the 'next' of the page before"],
  ] as const)('rejects the query %s', async ([query, code, message], { site }) => {
    const reply = await site.app.inject({ url: `/edition/search${query}`, headers: { cookie: site.pass } })
    expect(refusalOf(reply)).toEqual({ status: 400, code, message })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('limits the searches of an IP address', async ({ site }) => {
    site.limitCalls('searches', 2)
    const search = (remoteAddress: string) =>
      site.app.inject({ url: '/edition/search?q=a', headers: { cookie: site.pass }, remoteAddress })
    await search('192.0.2.1')
    await search('192.0.2.1')
    const reply = await search('192.0.2.1')
    expect(refusalOf(reply)).toEqual({
      status: 429,
      code: 'too-many-requests',
      message: 'Too many attempts. Try again in a minute.',
    })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((await search('192.0.2.2')).statusCode).toBe(200)
  })

  it('finds a memo by words of its title, text and caption, and names its edition', async ({
    search,
    publish,
  }) => {
    const { key, ids } = await publish([
      {
        title: 'Lighthouse keeper retires',
        memo_content: '<p>After <em>forty</em> winters, he hands over the lantern &amp; the logbook.</p>',
        media_title: 'The tower at dusk',
        media_text: '<p>Photograph by a passing trawler</p>',
      },
    ])

    for (const q of ['lighthouse', 'lanterns', 'dusk', 'trawler', 'keeper logbook', '"lighthouse keeper"']) {
      const { data, next } = await search({ q })
      expect([q, data.map(({ _id }) => _id)]).toEqual([q, ids])
      expect(next).toBeNull()
    }
    const [found] = (await search({ q: 'keepers lantern' })).data
    expect(found).toEqual({
      kind: 'memo',
      _id: ids[0],
      date: key.slice(0, 8),
      time_stamp: '10AM',
      title: [
        { text: 'Lighthouse ', match: false },
        { text: 'keeper', match: true },
        { text: ' retires', match: false },
      ],
      text: [
        { text: 'After forty winters, he hands over the ', match: false },
        { text: 'lantern', match: true },
        { text: ' & the logbook.', match: false },
      ],
    })
    for (const q of ['lighthouse -keeper', '"keeper lighthouse"']) {
      expect([q, (await search({ q })).data]).toEqual([q, []])
    }
  })

  it('returns an excerpt around what matches in a long text, and marks where it is cut', async ({
    search,
    publish,
  }) => {
    const filler = 'Nothing of note happens in this sentence. '.repeat(40)
    await publish([
      { title: 'Long', memo_content: `<p>${filler}</p><p>Then a <em>heron</em> lands.</p><p>${filler}</p>` },
    ])
    const [found] = (await search({ q: 'herons' })).data
    const text = whole(found?.text ?? [])
    expect(text).toMatch(/^… .*sentence\. Then a heron lands\. Nothing.*(…|\.)$/)
    expect(text.length).toBeLessThan(300)
    expect(matching(found?.text ?? [])).toEqual(['heron'])
    const [other] = (await search({ q: 'long' })).data
    expect(whole(other?.text ?? [])).toMatch(/^Nothing of note/)
  })

  it('returns no part of a tag in which an excerpt begins', async ({ search, publish }) => {
    const link = `<a href="https://example.com/${'long-'.repeat(30)}path">Otters</a>`
    await publish([{ title: 'Tagged', memo_content: `${filler(20)}<p>${link} meet a porcupine.</p>` }])
    const [found] = (await search({ q: 'porcupine' })).data
    expect(whole(found?.text ?? [])).toMatch(/^… Otters meet a porcupine/)
  })

  it.for([
    ['begins', `${filler(30)}<p>See ${longAddress} for a wombat.</p>`],
    ['ends', `<p>A wombat is at ${longAddress} and elsewhere.</p>${filler(48)}`],
    ['follows a link', `<p><a href="${longAddress}/wombat">Link</a></p>${filler(48)}<p>A wombat.</p>`],
  ] as const)(
    'returns no part of an address where an excerpt %s',
    async ([, memo_content], { search, publish }) => {
      await publish([{ title: 'Addressed', memo_content }])
      const parts = (await search({ q: 'wombat' })).data[0]?.text ?? []
      expect(matching(parts)).toEqual(['wombat'])
      expect(whole(parts).includes(longAddress) || !/example|long-/.test(whole(parts))).toBe(true)
    },
  )

  it('finds what the last word begins with', async ({ search, publish }) => {
    await publish([{ title: 'Observatory doors close', memo_content: '<p>Astronomers leave.</p>' }])
    expect(matching((await search({ q: 'doors observ' })).data[0]?.title ?? [])).toEqual([
      'Observatory',
      'doors',
    ])
    expect((await search({ q: 'observ doors' })).similar).toBe(true)
    expect((await search({ q: 'doors ob' })).similar).toBe(true)
    // A stop word at the end widens nothing.
    expect(titlesOf(await search({ q: 'observatory the' }))).toEqual(['Observatory doors close'])
    expect((await search({ q: 'the' })).data).toEqual([])
  })

  it('ranks titles before texts, and otherwise the newest first', async ({ search, publish }) => {
    await publish([{ title: 'In a text', memo_content: '<p>A glacier melts.</p>' }])
    await publish([{ title: 'Glacier', memo_content: '<p>It is old.</p>' }])
    await publish([{ title: 'In a newer text', memo_content: '<p>A glacier melts.</p>' }])
    expect(titlesOf(await search({ q: 'glacier' }))).toEqual(['Glacier', 'In a newer text', 'In a text'])
  })

  it('returns text without tags, whatever the memo contains', async ({ search, publish }) => {
    await publish([
      {
        title: 'Is <b>5 < 6</b> & "so"? Numerals',
        memo_content:
          '<h2>Numerals</h2><p>a &lt;script&gt; b</p><p><a href="https://example.com/?a=1&amp;b=2">link</a>, end</p>',
      },
    ])
    const [found] = (await search({ q: 'numerals' })).data
    expect(whole(found?.title ?? [])).toBe('Is <b>5 < 6</b> & "so"? Numerals')
    expect(whole(found?.text ?? []).trim()).toBe('Numerals a <script> b link, end')
    expect(matching(found?.text ?? [])).toEqual(['Numerals'])
  })

  it.for([
    ['English', 'en', 'The councillors voted', 'councillor voting'],
    ['German', 'de', 'Die Häuser am Fluss werden gebaut', 'haus gebaute'],
    ['a region of French', 'fr-CA', 'Les élections provinciales', 'élection provinciale'],
    ['Arabic', 'ar', 'افتتاح الجسور الجديدة', 'جسور جديدة'],
    ['a language that Postgres lacks', 'pl', 'Nowe mosty otwarte', 'mosty'],
  ] as const)('knows the grammar of %s', async ([_name, language, title, q], { search, publish }) => {
    const { ids } = await publish([{ title, language }])
    const { data, similar } = await search({ q })
    expect([data.map(({ _id }) => _id), similar]).toEqual([ids, false])
    expect(data[0]?.language).toBe(language)
    expect(matching(data[0]?.title ?? []).length).toBeGreaterThan(0)
  })

  it.for([
    ['Parliament adjourns', 'parlaiment'],
    ['Bridge collapses overnight', 'brigde'],
    ['Überschwemmung im Tal', 'uberschwemung'],
    ['مهرجان الكتاب', 'مهرحان'],
  ] as const)('finds %s despite the typing error %s', async ([title, q], { search, publish }) => {
    await publish([{ title }])
    const { data, similar, next } = await search({ q })
    expect([titlesOf({ data, similar, next })[0], similar, next]).toEqual([title, true, null])
    expect(matching(data[0]?.title ?? [])).toEqual([])
    expect((await search({ q: `"${q}"` })).data).toEqual([])
  })

  it('limits the days, first and last included', async ({ search, desk }) => {
    for (const key of ['03-01-31-10AM', '03-02-31-10AM', '03-03-31-10AM']) {
      await desk.draft(key)
      await desk.addMemo(key, { title: `Carnival ${key}` })
      await desk.publish(key)
    }
    const found = async (range: Record<string, string>) =>
      titlesOf(await search({ q: 'carnival', ...range })).map((title) => title.slice(9, 14))
    expect(await found({ from: '03-02-31' })).toEqual(['03-03', '03-02'])
    expect(await found({ to: '03-02-31' })).toEqual(['03-02', '03-01'])
    expect(await found({ from: '03-02-31', to: '03-02-31' })).toEqual(['03-02'])
    expect((await search({ q: 'carnivla', to: '03-01-31' })).data.length).toBe(1)
  })

  it('pages through every match once, also while another one is published', async ({ search, publish }) => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      title: `Orchard ${index}`,
      memo_content: `<p>${'orchard '.repeat(index % 4)}</p><p>Fruit.</p>`,
    }))
    const { ids } = await publish(many)
    const { ids: others } = await publish(many)
    const first = await search({ q: 'orchard' })
    expect(first.data.length).toBe(10)

    await publish([{ title: 'Orchard, orchard, orchard' }])
    const second = await search({ q: 'orchard', after: first.next ?? '' })
    const third = await search({ q: 'orchard', after: second.next ?? '' })

    const all = [first, second, third].flatMap(({ data }) => data.map(({ _id }) => _id))
    expect([...all].sort()).toEqual([...ids, ...others].sort())
    expect(third.next).toBeNull()
  })

  it('finds no draft, and nothing that was withdrawn, corrected or unpublished', async ({
    search,
    desk,
    publish,
  }) => {
    const { key: draftKey } = await desk.newDraft()
    await desk.addMemo(draftKey, { title: 'Walrus in a draft' })
    expect((await search({ q: 'walrus' })).data).toEqual([])
    await desk.publish(draftKey)
    expect(titlesOf(await search({ q: 'walrus' }))).toEqual(['Walrus in a draft'])

    const { key, ids } = await publish([{ title: 'Ibex one' }, { title: 'Ibex two' }])
    const [one = '', two = ''] = ids
    await desk.addMemo(key, { title: 'Ibex three' })
    await desk.call('PATCH', `/memos/${one}`, { body: { title: 'Chamois' }, ifMatch: '"1"' })
    expect(titlesOf(await search({ q: 'ibex' })).sort()).toEqual(['Ibex three', 'Ibex two'])
    expect(titlesOf(await search({ q: 'chamois' }))).toEqual(['Chamois'])

    const { version } = await desk.readMemo(two)
    await desk.call('DELETE', `/memos/${two}`, { ifMatch: `"${version}"` })
    expect(titlesOf(await search({ q: 'ibex' }))).toEqual(['Ibex three'])

    const edition = await desk.read(key)
    const reply = await desk.call('PUT', `/editions/${key}`, {
      body: { status: 'draft' },
      ifMatch: `"${edition.version}"`,
    })
    expect(reply.statusCode).toBe(200)
    for (const q of ['ibex', 'chamois', 'chamios']) expect((await search({ q })).data).toEqual([])
  })

  it('survives words that mean something to Postgres', async ({ search }) => {
    for (const q of [
      "'",
      "a' | b & !c:*",
      '((',
      '-',
      '!!',
      '"',
      "O'Brien",
      '\\',
      '%',
      '<b>',
      "foo's:*AB",
      'a or',
    ]) {
      expect((await search({ q })).next).toBeNull()
    }
  })
})
