{{/* Names and labels that several templates share. */}}

{{- define "clanxp.name" -}}
{{- if contains "clanxp" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-clanxp{{ end }}
{{- end }}

{{- define "clanxp.selector" -}}
app.kubernetes.io/name: clanxp
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "clanxp.labels" -}}
{{ include "clanxp.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* The roles that run, separated by spaces. */}}
{{- define "clanxp.roles" -}}
api worker notifier{{ if .Values.dashboard.enabled }} dashboard{{ end }}
{{- end }}

{{/* A role's Deployment: they differ in command, ports and who scales them. */}}
{{- define "clanxp.deployment" -}}
{{- $values := index .root.Values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "clanxp.name" .root }}-{{ .role }}
  labels: {{- include "clanxp.labels" . | nindent 4 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $values) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "clanxp.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "clanxp.labels" . | nindent 8 }}
    spec:
      serviceAccountName: {{ include "clanxp.name" .root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: {{ .role }}
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ with .root.Values.image.digest }}@{{ . }}{{ end }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, {{ if eq .role "notifier" }}--optimize-for-size, --liftoff-only, {{ end }}apps/{{ .role }}/main.ts]
          env:
            - { name: HOST, value: 0.0.0.0 }
            {{- if eq .role "api" }}
            - { name: PORT, value: "8080" }
            {{- end }}
            {{- if eq .role "dashboard" }}
            - { name: DASHBOARD_PORT, value: "8081" }
            - { name: DASHBOARD_URL, value: {{ $values.url | quote }} }
            - { name: DASHBOARD_PROXIES, value: {{ $values.proxies | quote }} }
            - { name: API_URL, value: {{ $values.apiUrl | quote }} }
            {{- with $values.oidc }}
            {{- if .issuer }}
            - { name: DASHBOARD_OIDC_ISSUER, value: {{ .issuer | quote }} }
            - { name: DASHBOARD_OIDC_CLIENT_ID, value: {{ required "dashboard.oidc.clientId: the client ID that the provider issued" .clientId | quote }} }
            - { name: DASHBOARD_OIDC_NAME, value: {{ .name | quote }} }
            - { name: DASHBOARD_OIDC_SCOPES, value: {{ .scopes | quote }} }
            - name: DASHBOARD_OIDC_CLIENT_SECRET
              valueFrom:
                secretKeyRef: { name: {{ $.root.Values.existingSecret }}, key: DASHBOARD_OIDC_CLIENT_SECRET }
            {{- end }}
            {{- end }}
            {{- end }}
            - { name: OPS_PORT, value: "9090" }
            {{- if eq .role "notifier" }}
            - { name: NODE_OPTIONS, value: --max-old-space-size=256 --max-semi-space-size=1 }
            - { name: DELIVERY_RETENTION_DAYS, value: {{ .root.Values.deliveryRetentionDays | quote }} }
            {{- else }}
            # With this heap a process stays below 600 MiB in all, which the memory limit must exceed.
            - { name: NODE_OPTIONS, value: --max-old-space-size=256 }
            {{- end }}
            # All but the API: the command line runs in the worker's container.
            {{- if ne .role "api" }}
            - name: SECRETS_KEY
              valueFrom:
                secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: SECRETS_KEY, optional: true }
            {{- with .root.Values.webhookAllowPrivate }}
            - { name: WEBHOOK_ALLOW_PRIVATE, value: {{ . | quote }} }
            {{- end }}
            {{- end }}
            - { name: LOG_LEVEL, value: {{ .root.Values.logLevel }} }
            {{- if eq .role "worker" }}
            - { name: BATCH_RETENTION_DAYS, value: {{ .root.Values.batchRetentionDays | quote }} }
            - { name: REVERSAL_RETENTION_DAYS, value: {{ .root.Values.reversalRetentionDays | quote }} }
            - { name: EVENT_RETENTION_DAYS, value: {{ .root.Values.eventRetentionDays | quote }} }
            - { name: BOARD_RETENTION_DAYS, value: {{ .root.Values.boardRetentionDays | quote }} }
            {{- end }}
            {{- range $name, $key := dict "MONGO_URL" $values.mongoUrlKey "REDIS_URL" "REDIS_URL" }}
            - name: {{ $name }}
              valueFrom:
                secretKeyRef: { name: {{ required "existingSecret: name a Secret with MONGO_URL and REDIS_URL" $.root.Values.existingSecret }}, key: {{ $key }} }
            {{- end }}
            {{- with .root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            {{- if .root.Values.caConfigMap }}
            - { name: NODE_EXTRA_CA_CERTS, value: /etc/clanxp/ca.crt }
            {{- end }}
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            {{- if eq .role "dashboard" }}
            - { name: http, containerPort: 8081 }
            {{- end }}
            - { name: ops, containerPort: 9090 }
          # A process that waits for an unavailable MongoDB is alive.
          livenessProbe:
            httpGet: { path: /livez, port: ops }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: ops }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          startupProbe:
            httpGet: { path: /livez, port: ops }
            periodSeconds: 1
            failureThreshold: 60
          {{- if or (eq .role "api") (eq .role "dashboard") }}
          # Requests keep arriving until every node knows that the pod is terminating.
          lifecycle:
            preStop: { exec: { command: [sleep, "5"] } }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          # Node keeps its compiled code there, which halves the start; nothing needs it.
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if .root.Values.caConfigMap }}
            - { name: ca, mountPath: /etc/clanxp, readOnly: true }
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
        {{- if .root.Values.caConfigMap }}
        - name: ca
          configMap: { name: {{ .root.Values.caConfigMap }} }
        {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "clanxp.selector" . | nindent 14 }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
