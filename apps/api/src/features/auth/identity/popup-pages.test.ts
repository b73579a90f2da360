import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type PopupResult, resultPage } from './popup-pages.ts'

const success: PopupResult = { data: { providers: [{ provider: 'google' }], message: 'Connected.' } }
const failure: PopupResult = { error: { code: 'account-not-found', message: 'Not <here> & not there.' } }
const origins = ['https://reader.example', 'http://reader.example:8080']

/** Runs the page's script in a window, with or without a page that opened it; answers what it did. */
function run(result: PopupResult, to: readonly string[], { opened }: { opened: boolean }) {
  const { html } = resultPage('Tidings', result, to)
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
  const says = [elements.h1?.textContent, elements['h1 + p']?.textContent]
  return { posted: JSON.parse(JSON.stringify(posted)), closed, says }
}

describe('the last page of a popup', () => {
  it.each([
    ['a success', success],
    ['a failure', failure],
  ])('tells each origin of %s, and closes', (_what, result) => {
    const { posted, closed } = run(result, origins, { opened: true })
    expect(posted).toEqual(origins.map((origin) => ({ message: result, origin })))
    expect(closed).toBe(true)
  })

  it('stays to be read when no origin may be told', () => {
    const { posted, closed, says } = run(failure, [], { opened: true })
    expect(posted).toEqual([])
    expect(closed).toBe(false)
    expect(says).toEqual(['Something went wrong', 'Not &lt;here&gt; &amp; not there.'])
  })

  it('stays to be read after a failure when nobody opened it', () => {
    const { closed, says } = run(failure, origins, { opened: false })
    expect(closed).toBe(false)
    expect(says).toEqual(['Something went wrong', 'Not &lt;here&gt; &amp; not there.'])
  })

  it.each([
    ['nobody opened it', origins, false],
    ['no origin may be told', [], true],
  ])('says that a success reached nobody when %s', (_when, to, opened) => {
    const { posted, closed, says } = run(success, to, { opened })
    expect(posted).toEqual([])
    expect(closed).toBe(false)
    expect(says).toEqual(['Please start again', expect.stringContaining('doesn’t know that you signed in')])
  })
})
