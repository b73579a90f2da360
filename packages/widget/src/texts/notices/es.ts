import type { NoticeTexts } from '../text-keys.ts'

/** The Spanish texts of the notices. */
export const notices: NoticeTexts = {
  loading: 'Cargando...',
  dismiss_message: 'Descartar mensaje',
  open_failed: 'No se pudo abrir. Comprueba tu conexión e inténtalo de nuevo.',
  logout_failed: 'No se pudo cerrar la sesión. Comprueba tu conexión e inténtalo de nuevo.',
}
