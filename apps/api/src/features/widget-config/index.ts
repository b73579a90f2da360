/** The public configuration of an app, for the membership widget and other clients. */
export { registerProviderIcons } from './provider-icons.ts'
export { registerWidgetConfigRoutes } from './widget-config.routes.ts'
export { createWidgetConfigService, type GroupsByApp } from './widget-config.service.ts'
