import type { NoticeCatalog } from './en.ts'

/** The French notices. */
export const notices: NoticeCatalog = {
  loading: 'Chargement...',
  dismiss_message: 'Masquer le message',
  open_failed: "Impossible d'ouvrir la fenêtre. Vérifiez votre connexion et réessayez.",
  logout_failed: 'Impossible de se déconnecter. Vérifiez votre connexion et réessayez.',
}
