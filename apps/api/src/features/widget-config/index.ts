/** The app's configuration as the membership widget and other clients read it. */
export { registerProviderIcons } from './provider-icons.routes.ts'
export { registerWidgetConfigRoutes } from './widget-config.routes.ts'
export { createWidgetConfigService, type GroupsByApp } from './widget-config.service.ts'
