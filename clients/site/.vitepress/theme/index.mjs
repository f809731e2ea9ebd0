import DefaultTheme from "vitepress/theme-without-fonts";
import Diagram from "./Diagram.vue";
import "./style.css";

export default {
    extends: DefaultTheme,
    enhanceApp({ app }) {
        app.component("Diagram", Diagram);
    },
};
