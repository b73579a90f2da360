import type { NoticeTexts } from '../text-keys.ts'

/** The French texts of the notices. */
export const notices: NoticeTexts = {
  loading: 'Chargement...',
  dismiss_message: 'Masquer le message',
  open_failed: "Impossible d'ouvrir la fenêtre. Vérifiez votre connexion et réessayez.",
  logout_failed: 'Impossible de se déconnecter. Vérifiez votre connexion et réessayez.',
}
