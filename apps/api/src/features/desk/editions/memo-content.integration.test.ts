import { dataWithRemoved } from '@tidings/contracts/desk/desk'
import { deskMemo } from '@tidings/contracts/desk/memos'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const unknownId = '0193a000-0000-7000-8000-000000000000'

const it = siteTest()
  .extend('emptyDraft', { scope: 'file' }, async ({ desk }) => (await desk.newDraft()).key)
  .extend('memo', { scope: 'file' }, async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])
    return await desk.readMemo(String(ids[0]))
  })

describe('the content of a memo', () => {
  const good = { title: 'A memo', memo_content: '<p>News.</p>' }
  const wrong: [string, Record<string, unknown>][] = [
    ['a title that is no text', { title: 17 }],
    ['a title in a list', { title: ['A memo'] }],
    ['a title of null', { title: null }],
    ['a title of 301 characters', { title: 'x'.repeat(301) }],
    ['a content that is no text', { memo_content: { html: 'x' } }],
    ['a content of 40,001 characters', { memo_content: 'x'.repeat(40_001) }],
    ['a content of 1,000,001 characters before cleaning', { memo_content: `<p>x</p>${' '.repeat(999_993)}` }],
    ['a source that runs', { source: 'javascript:alert(1)' }],
    ['a disguised javascript: source', { source: 'JaVaScRiPt://example.com/%0aalert(1)' }],
    ['a source of data', { source: 'data:text/html,<script>alert(1)</script>' }],
    ['a file: source', { source: 'file:///etc/passwd' }],
    ['a source without a protocol', { source: '//example.com/' }],
    ['a source that is no address', { source: 'example' }],
    ['a source of 2,001 characters', { source: `https://example.com/${'x'.repeat(1981)}` }],
    ['a picture in another folder', { media: '../../etc/passwd' }],
    ['a picture at an address', { media: 'https://example.com/a.jpg' }],
    ['a picture of another form', { media: 'picture.jpg' }],
    ['a caption of 501 characters', { media_title: 'x'.repeat(501) }],
    ['an alt text of 501 characters', { media_alt: 'x'.repeat(501) }],
    ['an alt text with NUL', { media_alt: 'a\u0000b' }],
    ['a focal point outside the picture', { media_focus: { x: 1.01, y: 0 } }],
    ['half a focal point', { media_focus: { x: 0.5 } }],
    ['a focal point of null', { media_focus: null }],
    ['a media text of 4,001 characters', { media_text: 'x'.repeat(4001) }],
    ['a language that is no tag', { language: 'English, please' }],
    ['a language with an underscore', { language: 'en_US' }],
    ['a language of null', { language: null }],
    ['a position of 0', { position: 0 }],
    ['a negative position', { position: -1 }],
    ['a position of 61', { position: 61 }],
    ['half a position', { position: 1.5 }],
    ['a position in words', { position: 'first' }],
    ['a field that is none', { author: 'Anna' }],
    ['fields of the reply', { id: unknownId, counter: 1000, version: 7 }],
  ]

  it('counts what is stored, not the markup of a clipboard', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const word = '<span style="font-family:Calibri" class="TextRun">words </span>'
    const memo_content = `<p>${word.repeat(6000)}</p>`

    await desk.addMemo(key, { memo_content })
    const tooLong = await desk.call('POST', `/editions/${key}/memos`, {
      body: { ...good, memo_content: memo_content.replaceAll('words ', 'longer ') },
    })

    expect((await desk.read(key)).memoCount).toBe(1)
    expect(refusalOf(tooLong)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^memo_content: has [\d,]+ characters, but can have at most 40,000/),
    })
  })

  it.for(wrong)('rejects %s when a memo is added', async ([_what, fields], { desk, emptyDraft }) => {
    const reply = await desk.call('POST', `/editions/${emptyDraft}/memos`, { body: { ...good, ...fields } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect((await desk.read(emptyDraft)).memoCount).toBe(0)
  })

  it.for(wrong)('rejects %s when a memo is changed', async ([_what, fields], { desk, memo }) => {
    const reply = await desk.call('PATCH', `/memos/${memo.id}`, { body: fields, ifMatch: '"1"' })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await desk.readMemo(memo.id)).toEqual(memo)
  })

  const unfinished: [string, Record<string, unknown>, string[]][] = [
    ['no title', { title: undefined }, ['title']],
    ['an empty title', { title: '' }, ['title']],
    ['a title of nothing visible', { title: '\u200b\u2060\u3164' }, ['title']],
    ['a title of blanks', { title: ' \t\n ' }, ['title']],
    ['no content', { memo_content: undefined }, ['memo_content']],
    ['an empty content', { memo_content: '' }, ['memo_content']],
    ['a script', { memo_content: '<script>alert(1)</script>' }, ['memo_content']],
    ['a picture in its content', { memo_content: '<img src=x onerror=alert(1)>' }, ['memo_content']],
    ['tags only', { memo_content: '<p> </p><br>' }, ['memo_content']],
    ['nothing', { title: undefined, memo_content: undefined }, ['title', 'memo_content']],
  ]

  it.for(unfinished)(
    'may be %s in a draft, and not in public',
    async ([_what, fields, missing], { desk }) => {
      const { key } = await desk.newDraft()
      const draft = { ...good, ...fields }

      const added = await desk.call('POST', `/editions/${key}/memos`, { body: draft })
      const { id } = added.json().data
      const published = await desk.call('POST', `/editions/${key}/publish`)

      expect(added.statusCode).toBe(201)
      for (const field of missing) expect(added.json().data[field]).toBe('')
      expect(published.statusCode).toBe(409)
      expect(published.json().error).toMatchObject({
        code: 'incomplete',
        incomplete: [{ id, place: 1, fields: missing }],
      })

      await desk.call('PATCH', `/memos/${id}`, { body: good, ifMatch: '"1"' })
      await desk.publish(key)
      const live = await desk.call('POST', `/editions/${key}/memos`, { body: draft })
      const emptied = await desk.call('PATCH', `/memos/${id}`, {
        body: { title: '', memo_content: '<p></p>' },
        ifMatch: '"2"',
      })
      for (const reply of [live, emptied]) expect(reply.json().error.code).toBe('incomplete')
      expect(await desk.places(key)).toEqual(['1 A memo'])
    },
  )

  it('accepts the longest value of every key', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const longest = {
      title: 'é'.repeat(300),
      memo_content: `<p>${'x'.repeat(39_993)}</p>`,
      source: `https://example.com/${'x'.repeat(1980)}`,
      media_title: 'x'.repeat(500),
      media_alt: 'x'.repeat(500),
      media_text: 'x'.repeat(4000),
    }

    expect(await desk.addMemo(key, longest)).toMatchObject(longest)
  })

  it('names the language in canonical case, and an empty one removes it', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const memo = await desk.addMemo(key, { language: 'ZH-hant-tw' })
    const cleared = await desk.call('PATCH', `/memos/${memo.id}`, { body: { language: '' }, ifMatch: '"1"' })
    const [, change] = await desk.auditOf(key)

    expect(memo.language).toBe('zh-Hant-TW')
    expect(dataOf(deskMemo).parse(cleared.json()).data.language).toBe('')
    expect(change?.details).toMatchObject({ before: { language: 'zh-Hant-TW' }, changed: ['language'] })
  })

  it.for([
    ['SQL', `'); DROP TABLE memo; --`],
    ['more SQL', `" OR 1=1 -- \\' $1 \${x}`],
    ['right-to-left text', '\u202Eمرحبا \u05E9\u05DC\u05D5\u05DD\u202C'],
    ['emoji and joiners', '👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301'],
    ['HTML in the plain fields', '<b onmouseover="alert(1)">bold</b>'],
  ] as const)('keeps %s in plain fields as text', async ([_what, text], { desk }) => {
    const { key } = await desk.newDraft()

    const memo = await desk.addMemo(key, { title: text, media_title: text })

    expect(memo).toMatchObject({ title: text, media_title: text })
  })

  it.for([
    ['NUL', 'before\u0000after', 'beforeafter'],
    ['half of a character', 'before\uD83Dafter', 'before\uFFFDafter'],
    ['the other half', 'before\uDE42after', 'before\uFFFDafter'],
  ] as const)('rejects %s in plain fields and replaces it in HTML', async ([_what, text, kept], { desk }) => {
    const { key, ids } = await desk.newDraft(['A'])
    const plain = [{ title: text }, { source: `https://example.com/${text}` }, { media_title: text }]
    for (const field of plain) {
      const added = await desk.call('POST', `/editions/${key}/memos`, { body: { ...good, ...field } })
      const changed = await desk.call('PATCH', `/memos/${ids[0]}`, { body: field, ifMatch: '"1"' })
      expect(refusalOf(added)).toMatchObject({ status: 400, code: 'invalid-request' })
      expect(refusalOf(changed)).toMatchObject({ status: 400, code: 'invalid-request' })
    }

    const memo = await desk.addMemo(key, { memo_content: `<p>${text}</p>`, media_text: text })
    expect(memo).toMatchObject({ memo_content: `<p>${kept}</p>`, media_text: kept })
  })

  it('writes a space for control characters, except in addresses', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const text = 'before\u0007\fafter'

    const memo = await desk.addMemo(key, {
      title: text,
      media_title: text,
      memo_content: `<p>${text}</p>`,
      media_text: text,
    })
    const source = `https://example.com/${text}`
    const refused = await desk.call('POST', `/editions/${key}/memos`, { body: { ...good, source } })

    expect(memo).toMatchObject({ title: 'before after', media_title: 'before after' })
    expect(memo).toMatchObject({ memo_content: '<p>before  after</p>', media_text: 'before  after' })
    expect(refusalOf(refused)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it('removes scripts, embeds and styles from HTML and keeps prose', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const dirty =
      '<h1 style="color:red" onclick="x()">Head</h1><script>alert(1)</script><p class="x">Te<b>x</b>t ' +
      '<a href="javascript:alert(1)">bad</a> <a href="https://example.com/" onclick="x()">good</a></p>' +
      '<img src="https://example.com/p.gif"><iframe src="https://example.com"></iframe><ul><li>One</li></ul>'

    const memo = await desk.addMemo(key, { memo_content: dirty, media_text: dirty })

    const clean =
      '<h2>Head</h2><p>Te<b>x</b>t bad <a href="https://example.com/" rel="noopener noreferrer" target="_blank">good</a></p>' +
      '<ul><li>One</li></ul>'
    expect(memo).toMatchObject({ memo_content: clean, media_text: clean })
  })

  it('lists what cleaning removed by field', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const body = {
      ...good,
      memo_content: '<p style="color:red" onclick="x()">a</p><script>x</script>',
      media_text: '<p>b</p>',
    }

    const added = await desk.call('POST', `/editions/${key}/memos`, { body })
    const { id } = dataWithRemoved(deskMemo).parse(added.json()).data
    const changed = await desk.call('PATCH', `/memos/${id}`, {
      body: { media_text: '<img>' },
      ifMatch: '"1"',
    })
    const retitled = await desk.call('PATCH', `/memos/${id}`, { body: { title: 'B' }, ifMatch: '"2"' })

    expect(added.json()).toMatchObject({
      removed: [{ field: 'memo_content', removed: ['onclick', '<script>'] }],
    })
    expect(changed.json()).toMatchObject({ removed: [{ field: 'media_text', removed: ['<img>'] }] })
    expect(retitled.json()).toMatchObject({ removed: [] })
  })
})
