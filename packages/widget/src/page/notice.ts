import { chooseLanguage } from '../translations/language.ts'
import { notices as de } from '../translations/notices/de.ts'
import { notices as en } from '../translations/notices/en.ts'
import { notices as es } from '../translations/notices/es.ts'
import { notices as fr } from '../translations/notices/fr.ts'
import { findOverride } from '../translations/overrides.ts'
import css from './notice.css?inline'

const delayMs = 400
const shownMs = 7000
const gap = 8
const catalogs = { de, en, es, fr }

type TextSource = {
  /** The preferred language. */
  language: string | undefined
  /** Returns what overrides the catalog of the language. Called for each text: the app may arrive late. */
  overrides: () => readonly unknown[]
}

/** The notice at an element. */
export type Notice = {
  /** Says what failed, until it is dismissed or some seconds have passed. */
  fail: (key: 'open_failed' | 'logout_failed') => void
  close: () => void
}

/**
 * Creates a notice at an element that was tapped, or at the bottom of the page. It shows nothing for a moment, then that
 * something is loading. It lies above the page, which doesn't move.
 */
export function createNotice(
  element: HTMLElement | null,
  { language: preferred, overrides }: TextSource,
): Notice {
  const language = chooseLanguage(preferred)
  const t = (key: keyof typeof en) => findOverride(overrides(), key) ?? catalogs[language][key]
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const box = document.createElement('div')
  box.className = 'notice empty'
  box.lang = language
  box.dir = getComputedStyle(element ?? document.body).direction
  const text = document.createElement('span')
  text.role = 'status'
  box.append(text)
  root.append(box)
  // A modal dialog of the page makes everything outside of it inert.
  const parent = element?.closest('dialog[open]') ?? document.body
  parent.append(host)

  function place(): void {
    const { offsetWidth: width, offsetHeight: height } = box
    const middle = (innerWidth - width) / 2
    const bottomEdge = { left: middle, right: middle + width, top: innerHeight, bottom: innerHeight }
    const { left, right, top, bottom } = element?.getBoundingClientRect() ?? bottomEdge
    const start = box.dir === 'rtl' ? right - width : left
    const below = bottom + gap
    const fits = below + height + gap <= innerHeight
    box.style.left = `${within(start, innerWidth - width)}px`
    box.style.top = `${within(fits ? below : top - gap - height, innerHeight - height)}px`
  }

  function show(message: string): void {
    box.className = 'notice'
    text.className = 'text'
    text.textContent = message
    place()
  }

  function close(): void {
    clearTimeout(timer)
    removeEventListener('scroll', place, true)
    removeEventListener('resize', place)
    const hadFocus = root.activeElement !== null
    host.remove()
    if (hadFocus) element?.focus()
  }

  addEventListener('scroll', place, { capture: true, passive: true })
  addEventListener('resize', place)
  let timer = setTimeout(() => show(t('loading')), delayMs)

  return {
    fail(key) {
      clearTimeout(timer)
      timer = setTimeout(close, shownMs)
      const button = document.createElement('button')
      button.type = 'button'
      button.ariaLabel = t('dismiss_message')
      button.textContent = '×'
      button.onclick = close
      box.append(button)
      show(t(key))
    },
    close,
  }
}

/** Returns a place that keeps a gap to both edges. */
function within(place: number, last: number): number {
  return Math.max(gap, Math.min(place, last - gap))
}
