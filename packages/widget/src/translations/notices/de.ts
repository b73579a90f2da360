import type { NoticeCatalog } from './en.ts'

/** The German notices. */
export const notices: NoticeCatalog = {
  loading: 'Wird geladen...',
  dismiss_message: 'Meldung ausblenden',
  open_failed: 'Öffnen nicht möglich. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  logout_failed: 'Abmelden nicht möglich. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
}
