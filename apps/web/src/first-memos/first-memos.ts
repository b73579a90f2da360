import { formatWireDate } from '@tidings/contracts/edition-key'
import type { Memo, TimeList } from '@tidings/contracts/editions'
import { urlOf } from '@tidings/contracts/endpoint'
import { limits } from '@tidings/contracts/limits'
import * as routes from '@tidings/contracts/routes'
import { siteStartElementId } from '@tidings/contracts/site/element-ids'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { wasGateOpen } from '#features/gate/device-pass.ts'
import type { TextReply } from '#lib/api/early-reply.ts'
import { browserClock } from '#lib/browser/clock.ts'
import { localDate } from '#lib/format/calendar.ts'
import { openKeptEditions, readKept } from '#lib/storage/kept.ts'
import { createStore } from '#lib/storage/store.ts'
import { firstEditionKey } from './first-edition.ts'

// This script is part of the shell. It requests the first memos while the page's own script is on its way and, where that
// takes long, shows their titles. In the shell of the service worker, it shows those that are kept on this device.

/** On a fast connection, the page's own script has drawn the memos by then. */
const drawAfterMs = 500
/** On most devices, a kept script has. */
const drawKeptAfterMs = 250
const timeoutMs = 20_000

// The server wrote the element for this page, so it needs no check, which would make the shell larger.
const start: Partial<SiteStart> = JSON.parse(document.getElementById(siteStartElementId)?.textContent ?? '{}')
const editionKey = firstEditionKey(start, location.hash, browserClock.now())
if (editionKey !== null) {
  const url = urlOf(routes.listMemos, { params: { key: editionKey } })
  const reply = requestText(url)
  window.earlyReply = { editionKey, url, reply }
  void Promise.all([reply, pause(drawAfterMs)]).then(
    ([{ ok, text }]) => {
      if (ok) drawTitles(JSON.parse(text))
    },
    () => {},
  )
}

// Only the service worker's shell says nothing about the gate.
const stores = {
  deviceStore: createStore(() => window.localStorage),
  sessionStore: createStore(() => window.sessionStorage),
  clock: browserClock,
}
const isGateOpen = start.gate === undefined ? wasGateOpen(stores) : !start.gate.on || start.gate.passed
// The password screen has no masthead.
if (!isGateOpen) document.documentElement.dataset.start = 'other'
else if (start.gate === undefined) void drawKept().catch(() => {})

/** Draws what is kept of the edition that the page will show first. */
async function drawKept(): Promise<void> {
  const cache = await openKeptEditions()
  if (cache === null) return
  const now = browserClock.now()
  const date = formatWireDate(localDate(now))
  const list: TimeList | null = await readKept(cache, urlOf(routes.getTimeList, { params: { date } }))
  const editions = { timeLists: list === null ? [] : [list], newest: null }
  const key = firstEditionKey({ editions }, location.hash, now)
  const memos = key === null ? null : await readKept(cache, urlOf(routes.listMemos, { params: { key } }))
  if (memos === null) return
  await pause(drawKeptAfterMs)
  drawTitles(memos)
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
