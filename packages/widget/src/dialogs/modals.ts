import type { Catalog } from '../translations/catalog.ts'
import type { App, Member, MembershipCalls } from './membership-calls.ts'
import type { ModalParams, ModalResult, Modals, ModalType } from './open-modal.ts'

/** The dependencies of an open dialog; `view/open-dialog.tsx` implements it. */
export type DialogRequest = {
  type: ModalType
  params: ModalParams
  calls: MembershipCalls
  getApp: () => Promise<App>
  /** The member of a profile, else null. */
  member: Member | null
  catalog: Catalog
  language: string | undefined
  /** The element that shows the dialog; a new one at the end of the page by default. */
  host: HTMLElement | undefined
  onResult: (result: ModalResult) => void
  /** Called once, when the dialog has closed. */
  onClosed: () => void
}
export type OpenedDialog = { close: () => void }

/** The module of the dialogs, which is loaded when the first one opens. */
export type DialogsModule = {
  openDialog: (request: DialogRequest) => OpenedDialog
  /** Loads the catalog of the language. */
  prepareCatalog: (language: string | undefined) => Promise<Catalog>
}

type Options = {
  calls: MembershipCalls
  /** Loads the module of the dialogs. */
  load: () => Promise<DialogsModule>
  /** The preferred language; by default the page's, then the browser's. */
  language?: string | undefined
  host?: HTMLElement | undefined
}

type LoadedModule = Pick<DialogsModule, 'openDialog'> & { catalog: Catalog }

const chunkTimeoutMs = 120_000

/** Creates the dialogs of a page. */
export function createModals({ calls, load, language, host }: Options): Modals {
  let app: Promise<App> | null = null
  let knownApp: App | undefined
  let module: Promise<LoadedModule> | null = null
  let closeCurrent: (() => void) | null = null

  function getApp(): Promise<App> {
    app ??= readApp(calls)
    app.then(
      (read) => {
        knownApp = read
      },
      () => {
        app = null
      },
    )
    return app
  }

  async function loadAll(): Promise<LoadedModule> {
    const { openDialog, prepareCatalog } = await load()
    return { openDialog, catalog: await prepareCatalog(language) }
  }

  function getModule(): Promise<LoadedModule> {
    module ??= loadChunk(loadAll)
    module.catch(() => {
      module = null
    })
    return module
  }

  function openModal(type: ModalType, params: ModalParams = {}): Promise<ModalResult> {
    closeCurrent?.()
    return new Promise((resolve, reject) => {
      let opened: OpenedDialog | null = null
      let isClosed = false
      function onClosed(): void {
        isClosed = true
        if (closeCurrent === close) closeCurrent = null
        resolve({ type: 'CLOSED', data: {} })
      }
      function close(): void {
        if (opened === null) onClosed()
        else opened.close()
      }
      async function open(): Promise<void> {
        const [{ openDialog, catalog }, member] = await Promise.all([getModule(), memberFor(type, calls)])
        if (isClosed) return
        opened = openDialog({
          type,
          params,
          calls,
          getApp: params.app === undefined ? getApp : async () => params.app ?? getApp(),
          member,
          catalog,
          language,
          host,
          onResult: resolve,
          onClosed,
        })
      }
      closeCurrent = close
      open().catch((error: unknown) => {
        reject(error)
        onClosed()
      })
    })
  }

  return {
    openModal,
    hideModal: () => closeCurrent?.(),
    async load() {
      await getModule()
    },
    async prepare() {
      await Promise.all([getApp(), getModule()])
    },
    knownApp: () => knownApp,
  }
}

async function readApp({ getApp }: MembershipCalls): Promise<App> {
  if (getApp === undefined) throw new Error('The dialogs need the call getApp or params.app')
  return (await getApp()).data
}

/** @throws {Error} 'Member not logged in' when a profile has no member */
async function memberFor(type: ModalType, { getCurrentMember }: MembershipCalls): Promise<Member | null> {
  if (type !== 'PROFILE') return null
  const member = (await getCurrentMember?.({ useCache: true }))?.data ?? null
  if (member === null) throw new Error('Member not logged in')
  return member
}

/** Loads a chunk, which may take two minutes. */
function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) => {
      const error = new Error('Loading chunk failed', { cause })
      error.name = 'ChunkLoadError'
      reject(error)
    }
    const timer = setTimeout(fail, chunkTimeoutMs)
    load()
      .finally(() => clearTimeout(timer))
      .then(resolve, fail)
  })
}
