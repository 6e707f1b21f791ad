/** Makes `new Vue({ el, data: {} })` work with Vue 3. */
export const OLD_VUE = `(function () {
  var Vue3 = window.Vue
  var components = {}
  function Vue(options) {
    var own = Object.assign({}, options)
    if (options.data && typeof options.data !== 'function') own.data = function () { return options.data }
    own.components = Object.assign({}, components, options.components)
    if (options.filters) own.methods = Object.assign({}, options.filters, options.methods)
    var app = Vue3.createApp(own)
    if (options.el) return app.mount(options.el)
    return { $mount: function (target) { return app.mount(target) } }
  }
  Object.assign(Vue, Vue3)
  Vue.component = function (name, definition) { components[name] = definition }
  Vue.filter = Vue.directive = Vue.use = function () {}
  Vue.config = {}
  window.Vue = Vue
})()`
