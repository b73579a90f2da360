import type { Translations } from '../translations/overrides.ts'
import type { App } from './membership-calls.ts'

/** The dialogs that a page can open. */
export type ModalType = 'LOGIN' | 'SIGNUP' | 'FORGOT_PASSWORD' | 'RESET_PASSWORD' | 'PROFILE'

export type ModalParams = {
  signup?: {
    /** The ids of free plans to add. */
    plans?: readonly string[] | undefined
  }
  login?: {
    /** Whether a login with a provider creates a missing account. */
    allowSignup?: boolean | undefined
  }
  hideCloseButton?: boolean | undefined
  hideProfileSection?: boolean | undefined
  /** Shows only the image and the connected accounts, on a page that has the rest. */
  hideAccountDetails?: boolean | undefined
  /** They win over those of the app. */
  translations?: Translations | undefined
  /** The app's configuration, which is read from the server otherwise. */
  app?: App | undefined
}

/** The result of a dialog. `data` is the data of the call's reply; `{}` after PASSWORD_RESET and CLOSED. */
export type ModalResult = {
  type: 'LOGIN' | 'SIGNUP' | 'LOGOUT' | 'PASSWORD_RESET' | 'CLOSED'
  data: unknown
}

/**
 * Opens a dialog. Resolves with the first result; the dialog stays open after a success.
 * @throws {Error} 'Member not logged in' when the profile is opened without a session
 */
export type OpenModal = (type: ModalType, params?: ModalParams) => Promise<ModalResult>

/** Closes the dialog. A pending `openModal` resolves with CLOSED. */
export type HideModal = () => void

/** The dialogs of a page. */
export type Modals = {
  openModal: OpenModal
  hideModal: HideModal
  /** Loads the code and the catalog of the dialogs. */
  load: () => Promise<void>
  /** Loads what the first dialog needs, ahead of `openModal`. */
  prepare: () => Promise<void>
  /** Returns the app's configuration once it has been read. */
  knownApp: () => App | undefined
}
