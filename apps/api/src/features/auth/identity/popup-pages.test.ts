import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type PopupResult, resultPage } from './popup-pages.ts'

const success: PopupResult = { data: { providers: [{ provider: 'google' }], message: 'Connected.' } }
const failure: PopupResult = { error: { code: 'account-not-found', message: 'Not <here> & not there.' } }
const origins = ['https://reader.example', 'http://reader.example:8080']

/** Runs the page's script in a window with or without an opener. Returns its effects. */
function run(result: PopupResult, to: readonly string[], { opened }: { opened: boolean }) {
  const { html } = resultPage({ name: 'Tidings', language: 'pt-BR' }, result, to)
  const textOf = (element: RegExp) => element.exec(html)?.[1] ?? ''
  const elements: Record<string, { textContent: string }> = {
    h1: { textContent: textOf(/<h1>(.*?)<\/h1>/) },
    'h1 + p': { textContent: textOf(/<h1>.*?<\/h1>\n<p>(.*?)<\/p>/) },
  }
  const posted: { message: unknown; origin: string }[] = []
  let closed = false
  const opener = { postMessage: (message: unknown, origin: string) => posted.push({ message, origin }) }
  const close = () => {
    closed = true
  }
  runInNewContext(textOf(/<script>([\s\S]*?)<\/script>/), {
    document: {
      getElementById: () => ({
        textContent: textOf(/<script type="application\/json" id="data">(.*?)<\/script>/),
      }),
      querySelector: (selector: string) => elements[selector],
    },
    window: { opener: opened ? opener : null, close },
  })
  const shown = [elements.h1?.textContent, elements['h1 + p']?.textContent]
  return { posted: JSON.parse(JSON.stringify(posted)), closed, shown }
}

describe('the result page of a popup', () => {
  it.each([
    ['a success', success],
    ['a failure', failure],
  ])('posts %s to each origin and closes', (_what, result) => {
    const { posted, closed } = run(result, origins, { opened: true })
    expect(posted).toEqual(origins.map((origin) => ({ message: result, origin })))
    expect(closed).toBe(true)
  })

  it('stays open without a target origin', () => {
    const { posted, closed, shown } = run(failure, [], { opened: true })
    expect(posted).toEqual([])
    expect(closed).toBe(false)
    expect(shown).toEqual(['That didn’t work', 'Not &lt;here&gt; &amp; not there.'])
  })

  it('stays open after a failure without an opener', () => {
    const { closed, shown } = run(failure, origins, { opened: false })
    expect(closed).toBe(false)
    expect(shown).toEqual(['That didn’t work', 'Not &lt;here&gt; &amp; not there.'])
  })

  it.each([
    ['without an opener', origins, false],
    ['without a target origin', [], true],
  ])('asks to start again after a success %s', (_when, to, opened) => {
    const { posted, closed, shown } = run(success, to, { opened })
    expect(posted).toEqual([])
    expect(closed).toBe(false)
    expect(shown).toEqual([
      'You’re not logged in yet',
      expect.stringContaining('doesn’t know that you logged in'),
    ])
  })
})
