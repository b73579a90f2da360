/** @jsxImportSource preact */
import { render } from 'preact'
import { chooseLanguage } from '../../translations/language.ts'
import { overridesOf } from '../../translations/overrides.ts'
import { createTranslate, loadCatalog } from '../../translations/translate.ts'
import type { App } from '../membership-calls.ts'
import type { DialogRequest, OpenedDialog } from '../modals.ts'
import { createDialogStore, type DialogStore } from '../state/dialog-store.ts'
import { textOf } from '../state/error-text.ts'
import { startState } from '../state/start-state.ts'
import { focusedElement, watchRemoval } from './page.ts'
import { screen } from './screen.tsx'
import { adoptStyles } from './styles.ts'
import { unreadyFrame } from './unready-frame.tsx'

/** 520 px at the usual text size. */
export const narrowQuery = '(max-width: 32.5em)'

/** Loads the catalog of the dialogs. */
export function prepareCatalog(language: string | undefined) {
  return loadCatalog(chooseLanguage(language))
}

/** Says what to check: readers only see that the server can't be reached, and browsers that CORS blocked a request. */
function warnDeveloper(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the page's developer has to know why no dialog opens
  console.warn(
    `The dialogs couldn't read the app's configuration: ${textOf(error) ?? error}`,
    `Check the public key, and that ALLOWED_ORIGINS or the app's allowedOrigins include ${location.origin}.`,
  )
}

/** Opens a dialog in a shadow root. */
export function openDialog(request: DialogRequest): OpenedDialog {
  const { calls, params, member, catalog, onResult } = request
  const ownHost = request.host === undefined
  const host = request.host ?? document.createElement('div')
  if (ownHost) document.body.append(host)
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  adoptStyles(root)

  const focused = focusedElement()
  const language = chooseLanguage(request.language)
  const narrow = matchMedia(narrowQuery)
  let t = createTranslate(catalog, ...overridesOf(params))
  let store: DialogStore | null = null
  let hasFailed = false
  let isClosed = false
  const stopWatching = watchRemoval(host, close)
  const auth = calls.onAuthChange?.((next) => store?.setMember(next))
  narrow.addEventListener('change', onResize)

  function close(): void {
    if (isClosed) return
    isClosed = true
    stopWatching()
    auth?.unsubscribe()
    narrow.removeEventListener('change', onResize)
    store?.destroy()
    render(null, root)
    if (ownHost) host.remove()
    if (focused?.isConnected) focused.focus()
    request.onClosed()
  }

  function onResize(): void {
    if (!narrow.matches) store?.dispatch({ type: 'widened' })
    draw()
  }

  function onChange(): void {
    if (store?.state().display === 'closed') close()
    else draw()
  }

  function start(app: App): void {
    t = createTranslate(catalog, ...overridesOf({ ...params, app }))
    const initial = startState(request.type, { app, calls, params, member, isNarrow: narrow.matches })
    store = createDialogStore({ app, calls, params, t, initial, member, onResult, onChange })
    onChange()
  }

  async function load(): Promise<void> {
    hasFailed = false
    try {
      const app = await request.getApp()
      if (!isClosed) start(app)
    } catch (error) {
      warnDeveloper(error)
      hasFailed = true
      draw()
    }
  }

  function retry(): void {
    void load()
    draw()
  }

  function draw(): void {
    if (isClosed) return
    const frame = { language, onClose: close }
    // Both are the same component, so that the dialog stays open when its content arrives.
    render(
      store === null
        ? unreadyFrame({
            ...frame,
            t,
            isWide: request.type === 'PROFILE',
            onRetry: hasFailed ? retry : undefined,
          })
        : screen({ ...frame, store, isNarrow: narrow.matches }),
      root,
    )
  }

  // A configuration that is there already needs no loading state.
  const timer = setTimeout(draw)
  void load().finally(() => clearTimeout(timer))
  return { close }
}
