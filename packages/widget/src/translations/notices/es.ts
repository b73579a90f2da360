import type { NoticeCatalog } from './en.ts'

/** The Spanish notices. */
export const notices: NoticeCatalog = {
  loading: 'Cargando...',
  dismiss_message: 'Descartar mensaje',
  open_failed: 'No se pudo abrir. Comprueba tu conexión e inténtalo de nuevo.',
  logout_failed: 'No se pudo cerrar la sesión. Comprueba tu conexión e inténtalo de nuevo.',
}
