import type { Memo } from '@tidings/contracts/editions'
import { siteStartElementId } from '@tidings/contracts/element-ids'
import { limits } from '@tidings/contracts/limits'
import { editionUrl } from '@tidings/contracts/paths'
import type { SiteStart } from '@tidings/contracts/site-start'
import { browserClock } from '#lib/clock.ts'
import type { TextReply } from '#lib/early-reply.ts'
import { firstEditionKey } from './first-edition.ts'

// This script is part of the shell. It requests the first memos while the page's own script is on its way and, where that
// takes long, shows their titles.

/** On most connections, the page's own script has drawn the memos by then. */
const drawAfterMs = 1_000
const timeoutMs = 20_000

// The server wrote the element for this page, so it needs no check, which would make the shell larger.
const start: Pick<SiteStart, 'editions'> = JSON.parse(
  document.getElementById(siteStartElementId)?.textContent ?? '{}',
)
const editionKey = firstEditionKey(start, location.hash, browserClock.now())
if (editionKey !== null) {
  const url = editionUrl(editionKey)
  const reply = requestText(url)
  window.earlyReply = { editionKey, url, reply }
  const wait = new Promise((resolve) => setTimeout(resolve, drawAfterMs))
  void Promise.all([reply, wait]).then(
    ([{ ok, text }]) => {
      if (ok) drawTitles(JSON.parse(text))
    },
    () => {},
  )
}

async function requestText(url: string): Promise<TextReply> {
  const response = await fetch(url, {
    credentials: 'same-origin',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { ok: response.ok, status: response.status, text: await response.text() }
}

/** Draws the titles as the memo list does, unless the page's script has drawn it already. */
function drawTitles(memos: readonly Pick<Memo, 'title' | 'language'>[]): void {
  const skeleton = document.querySelector('.shell .loading-skeleton')
  if (skeleton === null || memos.length === 0) return
  const list = element('ul', 'memos')
  for (const [index, { title, language }] of memos.entries()) {
    const row = element('li', 'memo')
    row.dir = 'auto'
    row.lang = language ?? ''
    if (language === undefined) row.removeAttribute('lang')
    row.style.animationDelay = `${index * limits.staggerMs}ms`
    const heading = element('span', 'memo-title')
    heading.append(element('span', '', title), element('span', 'memo-sign'))
    const h2 = element('h2', '')
    h2.append(heading)
    row.append(h2)
    list.append(row)
  }
  const section = element('section', '')
  section.append(list)
  skeleton.replaceWith(section)
  document.documentElement.dataset.start = 'titles'
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
