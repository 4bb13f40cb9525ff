// VitePress's theme, in the colors of the dashboard, with the page on which endpoints are tried out.
import { useData, useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { nextTick, onMounted, watch } from "vue";
import { showTryIt } from "./try-it.js";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress loads a theme so.
export default {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    const route = useRoute();
    onMounted(() => {
      watch(
        () => route.path,
        () => nextTick(showTryIt),
        { immediate: true },
      );
      // Swagger UI has its own name for it.
      watch(isDark, (dark) => document.documentElement.classList.toggle("dark-mode", dark), { immediate: true });
    });
  },
};
