import type { NoticeTexts } from '../text-keys.ts'

/** The German texts of the notices. */
export const notices: NoticeTexts = {
  loading: 'Wird geladen...',
  dismiss_message: 'Meldung ausblenden',
  open_failed: 'Öffnen nicht möglich. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  logout_failed: 'Abmelden nicht möglich. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
}
