// VitePress's theme, in the colors of the dashboard, with the page on which endpoints are tried out.
import { useData, useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h, nextTick, onMounted, watch } from "vue";
import { AwardExample } from "./award-example.js";
import { rememberLanguage, showLanguage } from "./languages.js";
import { followMoved } from "./moved.js";
import { NotFound } from "./not-found.js";
import { searchOptions } from "./search.js";
import { joinButtons } from "./sidebar.js";
import { showTryIt } from "./try-it.js";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress loads a theme so.
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { "home-hero-image": () => h(AwardExample), "not-found": () => h(NotFound) }),
  setup() {
    const { isDark, theme } = useData();
    const route = useRoute();
    // Functions in the configuration would be compiled in the browser, which the policy of the pages forbids.
    theme.value.search.options.miniSearch.searchOptions = searchOptions(theme.value.keywords);
    onMounted(() => {
      rememberLanguage();
      watch(
        () => route.path,
        async () => {
          await nextTick();
          joinButtons();
          followMoved();
          showLanguage();
          await showTryIt();
        },
        { immediate: true },
      );
      // Swagger UI has its own name for it.
      watch(isDark, (dark) => document.documentElement.classList.toggle("dark-mode", dark), { immediate: true });
    });
  },
};
